-- A journal as format 1 had it.
PRAGMA journal_mode = wal;
CREATE TABLE sessions (
    n         INTEGER PRIMARY KEY,
    id        TEXT NOT NULL UNIQUE,
    profile   TEXT NOT NULL,
    created   INTEGER NOT NULL,     -- microseconds since 1970
    title     TEXT NOT NULL,
    workspace BLOB NOT NULL         -- a path: bytes
) STRICT;
CREATE INDEX sessions_by_profile ON sessions (profile);
CREATE TABLE events (
    session INTEGER NOT NULL REFERENCES sessions (n),
    seq     INTEGER NOT NULL CHECK (seq > 0),
    at      INTEGER NOT NULL,       -- microseconds since 1970
    json    TEXT NOT NULL,          -- the whole frame, as it was written
    PRIMARY KEY (session, seq)
) STRICT;
CREATE TABLE leases (
    session INTEGER PRIMARY KEY REFERENCES sessions (n),
    pid     INTEGER NOT NULL,
    started INTEGER NOT NULL,
    boot    TEXT NOT NULL
) STRICT;
INSERT INTO sessions VALUES
    (1, 'given', 'default', 1795773600000000, 'Given', x'2f737276'),
    (2, 'asked', 'work', 1795773600000000, 'make a site', x'2f737276');
INSERT INTO leases VALUES (1, 1, 1, 'another boot');
INSERT INTO events VALUES
    (1, 1, 1795773600000000, '{"v":1,"seq":1,"ts":"2026-11-27T10:00:00.000Z","session":"given","type":"message.user","text":"hello"}'),
    (2, 1, 1795773600000000, '{"v":1,"seq":1,"ts":"2026-11-27T10:00:00.000Z","session":"asked","type":"message.user","text":"make a site"}'),
    (2, 2, 1795773601000000, '{"v":1,"seq":2,"ts":"2026-11-27T10:00:01.000Z","session":"asked","run":"r1","type":"run.started","model":"m","mode":"ask","policy":"free"}'),
    (2, 3, 1795773602000000, '{"v":1,"seq":3,"ts":"2026-11-27T10:00:02.000Z","session":"asked","type":"hologram.shown","depth":[1,2.50]}');
WITH RECURSIVE more (seq) AS (SELECT 2 UNION ALL SELECT seq + 1 FROM more WHERE seq < 3000)
INSERT INTO events SELECT 1, seq, 1795773600000000 + seq,
    '{"v":1,"seq":' || seq || ',"ts":"2026-11-27T10:00:00.000Z","session":"given","type":"message.user","text":"more"}'
FROM more;
PRAGMA application_id = 0x5441474c;
PRAGMA user_version = 1;
