// Written from docs/openapi.json by `npm run wire`. Not to be changed by hand.

export interface components {
    schemas: {
        /** @description The body of every answer that is no success. */
        ErrorBody: {
            /** @description The facts. */
            error: components["schemas"]["ErrorFacts"];
        };
        /** @description What went wrong. */
        ErrorFacts: {
            /**
             * Format: uint16
             * @description As in the head of the answer.
             */
            status: number;
            /** @description A stable word for programs. */
            code: string;
            /** @description One sentence. */
            message: string;
            /** @description What to do. */
            hint: string;
            /** @description Names the request in the server's log, as the header `X-Request-Id` does. */
            request_id: string;
        };
        /** @description The server answers. */
        Alive: {
            /** @description `ok`. */
            status: string;
            /** @description Of the program. */
            version: string;
        };
        /** @description What is traded. */
        Trade: {
            /** @description From the fragment of the start link. */
            code: string;
        };
        /** @description A token. */
        Token: {
            /** @description For the header `Authorization: Bearer TOKEN`. */
            token: string;
        };
        /** @description No facts are needed. */
        Nothing: Record<string, never>;
        /** @description Sessions, newest first. */
        SessionList: {
            sessions: components["schemas"]["SessionRow"][];
        };
        /** @description A session. */
        SessionRow: {
            /** @description Identifies it. */
            id: string;
            /** @description Its title; empty before the first message. */
            title: string;
            /** @description When it began, RFC 3339. */
            created: string;
            /** @description When its last event was written, RFC 3339. */
            updated: string;
            /** @description The folder it works in. */
            workspace: string;
            /** @description Its profile. */
            profile: string;
            /**
             * Format: uint64
             * @description Number of its last event.
             */
            last_seq: number;
            /** @description The turn that runs. */
            run?: string | null;
        };
        /** @description A session to begin. */
        Begin: {
            /**
             * @description The folder it works in; absolute. The server's own if none is named.
             * @default null
             */
            workspace: string | null;
            /**
             * @description Its title; without one it is the first line of the first message.
             * @default null
             */
            title: string | null;
        };
        /** @description Places, newest first. */
        HitList: {
            hits: components["schemas"]["HitRow"][];
        };
        /** @description A place where the words stand. */
        HitRow: {
            /** @description The session. */
            session: string;
            /**
             * Format: uint64
             * @description Number of the frame.
             */
            seq: number;
            /** @description When it was written, RFC 3339. */
            ts: string;
            /** @description `user`, `assistant`, `command` or `file`. */
            place: string;
            /** @description The text around the first word, in one line. */
            excerpt: string;
        };
        /** @description A session with what waits in it. */
        SessionDetail: {
            /** @description Identifies it. */
            id: string;
            /** @description Its title; empty before the first message. */
            title: string;
            /** @description When it began, RFC 3339. */
            created: string;
            /** @description When its last event was written, RFC 3339. */
            updated: string;
            /** @description The folder it works in. */
            workspace: string;
            /** @description Its profile. */
            profile: string;
            /**
             * Format: uint64
             * @description Number of its last event.
             */
            last_seq: number;
            /** @description The turn that runs. */
            run?: string | null;
            /** @description Messages that wait, in the order in which they are delivered. */
            queue: components["schemas"]["QueuedRow"][];
            /** @description Questions that wait for a person. */
            approvals: components["schemas"]["QuestionRow"][];
            /** @description A bound of the turn that is reached; nothing goes on until it is decided. */
            budget?: components["schemas"]["BudgetRow"] | null;
            /** @description How much runs without a question; absent where the settings of its next turn say. */
            mode?: components["schemas"]["Mode"] | null;
        };
        /** @description A message that waits. */
        QueuedRow: {
            /** @description Identifies it within the session. */
            message: string;
            /** @description What it says. */
            text: string;
            /** @description `now`, `next_pass` or `when_done`. */
            delivery: components["schemas"]["Delivery"];
            /** @description When it was taken in, RFC 3339. */
            since: string;
        };
        /** @description When a message is to reach the model, if a turn runs already. */
        Delivery: "now" | "next_pass" | "when_done";
        /** @description A question that waits for a person. */
        QuestionRow: {
            /** @description The call. */
            call: string;
            /** @description Its tool. */
            tool: string;
            /** @description Names the question: `/api/approvals/{hash}`. */
            hash: string;
            /** @description Why it asks. */
            why: string;
            /** @description What would run, with nothing hidden. */
            shown: string;
            /** @description What else the answer is bound to, with nothing hidden. */
            facts: components["schemas"]["ShownFact"][];
            /** @description What a yes may cover beside this call, narrowest first. */
            scopes: string[];
        };
        /** @description Something beside its text that an approval is bound to. */
        ShownFact: {
            /** @description What it is: `program`, `folder`, `environment`, `input` or `confinement`. */
            name: string;
            /** @description In words, with nothing hidden. */
            text: string;
        };
        /** @description A bound that is reached. */
        BudgetRow: {
            /** @description The stable word with which the turn would end, such as `max_passes`. */
            reason: string;
            /** @description What was reached, in a sentence. */
            message: string;
            /** @description What adding would add, such as `25 passes`. */
            adds: string;
        };
        /** @description How much runs without a question. */
        Mode: "plan" | "ask" | "edit" | "auto" | "full";
        /** @description Where a copy ends; with neither field it has everything so far. */
        Copy: {
            /** @description Before this turn, such as `t2`. */
            before?: string | null;
            /** @description Behind this turn; before it, where it still runs. */
            after?: string | null;
        };
        /** @description A message, and in which session. */
        Chat: {
            /** @description The session; a new one if none is named. */
            session?: string | null;
            /** @description Where a new session works; absolute. */
            workspace?: string | null;
            /** @description What the message says. */
            text: string;
            /**
             * @description Images.
             * @default []
             */
            media: components["schemas"]["Media"][];
            /**
             * @description When it is to be delivered, if a turn runs.
             * @default when_done
             */
            delivery: components["schemas"]["Delivery"];
        };
        /** @description An image for the model. */
        Media: {
            /** @description A `data:` or `media:` address. */
            url: string;
            /** @description Such as `image/png`. */
            media_type: string;
            /** @description What it shows. */
            label: string;
        };
        /** @description A message. */
        Say: {
            /** @description What it says. */
            text: string;
            /**
             * @description Images.
             * @default []
             */
            media: components["schemas"]["Media"][];
            /**
             * @description When it is to be delivered, if a turn runs: `now` stops the turn, `next_pass` enters it,
             *     `when_done` waits for its end.
             * @default when_done
             */
            delivery: components["schemas"]["Delivery"];
        };
        /** @description A message that was taken in; it is in the journal. */
        Received: {
            /** @description The session. */
            session: string;
            /** @description Identifies the message within it. */
            message: string;
            /** @description The turn that it begins or enters. */
            run?: string | null;
            /**
             * Format: uint
             * @description Its place among those that wait, from 1.
             */
            place?: number | null;
        };
        /** @description No facts are needed. */
        Continue: Record<string, never>;
        /** @description A turn that goes on where the last one ended. */
        Continued: {
            /** @description The session. */
            session: string;
            /** @description The new turn. */
            run: string;
        };
        /** @description Messages that wait, in the order in which they are delivered. */
        QueueList: {
            queue: components["schemas"]["QueuedRow"][];
        };
        /** @description How much is stopped. */
        Stop: {
            /** @constant */
            scope: "call";
            /** @description The call. */
            call: string;
        } | {
            /** @constant */
            scope: "turn";
        } | {
            /** @constant */
            scope: "all";
        };
        /** @description What was found. */
        Stopped: {
            /** @description Whether something ran; its end is an event. */
            was_running: boolean;
        };
        /** @description A person's answer at a bound. */
        Decision: {
            /** @description `add`: as much again; `finish`: one more reply without calls; `stop`: here. */
            answer: components["schemas"]["BudgetAnswer"];
        };
        /** @description How the user wants to go on where a bound of the turn is reached. */
        BudgetAnswer: "add" | "finish" | "stop";
        /** @description A mode to set. */
        SetMode: {
            /** @description `plan`, `ask`, `edit`, `auto` or `full`. */
            mode: components["schemas"]["Mode"];
        };
        /** @description A person's answer. */
        Reply: {
            /** @description The session that asks. */
            session: string;
            /** @description Whether the call may run. */
            allow: boolean;
            /** @description For the model: why not, or what to do instead. */
            words?: string | null;
            /** @description One of the scopes that were offered: a yes for all of it. */
            scope?: string | null;
            /**
             * @description Nobody is there to be asked: a no that is nobody's.
             * @default false
             */
            absent: boolean;
            /**
             * @description A yes to the call with these arguments, all of them. It is judged anew, and asks anew where a
             *     person has to say yes to it.
             */
            arguments?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description A yes to some of the parts of its change: of the blocks of `replace_in_file`, the hunks of
             *     `apply_patch`.
             */
            hunks?: components["schemas"]["Hunks"] | null;
        };
        /** @description Some of the parts of a change. */
        Hunks: {
            /** @description Those that stay, numbered from 0. */
            take: number[];
            /**
             * Format: uint
             * @description How many were shown.
             */
            of: number;
        };
        /** @description What the answers of people let run. */
        GrantList: {
            grants: components["schemas"]["GrantRow"][];
        };
        /** @description One answer that covers more than its call. It ends with its session, at the latest. */
        GrantRow: {
            /** @description The session. */
            session: string;
            /** @description What runs without a question. */
            scope: string;
            /** @description The call that asked. */
            call: string;
            /**
             * Format: uint64
             * @description Seconds since it was given.
             */
            age: number;
        };
        /** @description An answer to take back. */
        Revoke: {
            /** @description What it covers, as the list of grants says it. */
            scope: string;
        };
        /** @description What calls changed, or what bringing it back changes. */
        Changes: {
            /** @description The calls, in their order. */
            calls: components["schemas"]["ChangingCall"][];
            /** @description What is another afterwards, by path; at most 200 rows, and 256 KiB of text in all. */
            changes: components["schemas"]["ChangeRow"][];
            /**
             * Format: uint
             * @description Rows that are not among them.
             */
            n_more: number;
            /** @description What is not known of, in sentences. */
            not_covered: string[];
        };
        /** @description A call that changed something. */
        ChangingCall: {
            /** @description Its id; that of an undo begins with `u`. */
            call: string;
            /** @description The tool; empty for an undo. */
            tool: string;
            /** @description The path or the command. */
            target: string;
        };
        /** @description A thing that is another afterwards. */
        ChangeRow: {
            /** @description Below the session's folder, or absolute. */
            path: string;
            /** @description `create`, `change`, `remove` or `replace`. */
            verb: string;
            /** @description What there is to say beside the text, such as `mode 0644 to 0755`. */
            facts: string;
            /** @description The lines that differ, as a unified diff. */
            text: string;
            /** @description Why it is left as it is; absent where it is not. */
            left?: string | null;
        };
        /** @description What is brought back. */
        BringBack: {
            /** @description What this call changed, such as `t2.1`; or an undo, such as `u1`. */
            call?: string | null;
            /**
             * Format: uint32
             * @description What this turn changed, from 1; the newest one that is not undone, where nothing is named.
             */
            turn?: number | null;
            /**
             * @description Only say what would be done.
             * @default false
             */
            dry_run: boolean;
            /**
             * @description Also what was changed since.
             * @default false
             */
            force: boolean;
        };
        /** @description What was brought back, or would be. */
        Undone: {
            /** @description The calls, in their order. */
            calls: components["schemas"]["ChangingCall"][];
            /** @description What is another afterwards, by path; at most 200 rows, and 256 KiB of text in all. */
            changes: components["schemas"]["ChangeRow"][];
            /**
             * Format: uint
             * @description Rows that are not among them.
             */
            n_more: number;
            /** @description What is not known of, in sentences. */
            not_covered: string[];
            /**
             * Format: uint
             * @description How many things were brought back.
             */
            n_done: number;
            /** @description By which this is taken back. */
            undo?: string | null;
            /** @description What could not be brought back, in sentences. */
            failed: string[];
        };
        /** @description What a folder holds. */
        Listing: {
            /** @description The folder. */
            path: string;
            /** @description Its entries, by name. */
            entries: components["schemas"]["FileEntry"][];
        };
        /** @description A file or folder. */
        FileEntry: {
            /** @description Its name. */
            name: string;
            /** @description `file`, `folder` or `other`. */
            kind: string;
            /**
             * Format: uint64
             * @description Bytes of a file.
             */
            size?: number | null;
            /** @description When it was changed last, RFC 3339. */
            changed?: string | null;
        };
        /** @description What was written. */
        Written: {
            /** @description Its place. */
            path: string;
            /** @description Its name. */
            name: string;
            /** @description `file`, `folder` or `other`. */
            kind: string;
            /**
             * Format: uint64
             * @description Bytes of a file.
             */
            size?: number | null;
            /** @description When it was changed last, RFC 3339. */
            changed?: string | null;
        };
        /** @description A folder to make. */
        MakeFolder: {
            /** @description Where. */
            path: string;
            /** @description Whose folder is meant. */
            session?: string | null;
        };
        /** @description A file or folder, and its new place. */
        Relocate: {
            /** @description Where it is. */
            from: string;
            /** @description Where it will be, with its name. What is there stays. */
            to: string;
            /** @description Whose folder is meant. */
            session?: string | null;
        };
        /** @description A file or folder, and its new name. */
        Rename: {
            /** @description Where it is. */
            path: string;
            /** @description Its name from now on, in the same folder. */
            name: string;
            /** @description Whose folder is meant. */
            session?: string | null;
        };
        /** @description Every provider. */
        ProviderList: {
            providers: components["schemas"]["ProviderRow"][];
        };
        /** @description A provider. No key is in it. */
        ProviderRow: {
            /** @description Its name, as in `name/model`. */
            name: string;
            /** @description Where it is asked; absent where no address is known. */
            address?: string | null;
            /** @description Whether it is a server that people run for themselves. */
            is_server: boolean;
            /** @description Whether a key can be kept for it. */
            takes_key: boolean;
            /** @description From where its key comes; absent where there is none. */
            key?: components["schemas"]["KeySource"] | null;
            /** @description How it is. */
            state: components["schemas"]["ProviderStanding"];
            /** @description What it or the way to it said, in a sentence, where something is wrong. */
            message?: string | null;
            /** @description Its models, by the names under which they are asked; at most 500. */
            models: string[];
        };
        /** @description From where a key comes. */
        KeySource: {
            /** @description The place that counts. */
            from: components["schemas"]["KeyPlace"];
            /** @description The variable, where it is one. */
            variable?: string | null;
            /** @description Whether another one is kept, which counts once the variable is gone. */
            is_another_kept: boolean;
        };
        /** @description Where a key is. */
        KeyPlace: "environment" | "keyring" | "file";
        /** @description How a provider is. */
        ProviderStanding: "ready" | "unproven" | "key_refused" | "unreachable" | "no_key" | "no_address";
        /** @description A key to keep. */
        KeepKey: {
            /**
             * Format: password
             * @description The key. It is tried at the provider, kept, and never shown.
             */
            key: string;
            /**
             * @description Keep it even where the provider cannot be reached. A key that it refuses is never kept.
             * @default false
             */
            keep_unreachable: boolean;
        };
        /** @description A key was kept. */
        KeyKept: {
            /** @description The provider as it is now. */
            provider: components["schemas"]["ProviderRow"];
            /** @description Whether the provider took the key. */
            is_proven: boolean;
            /** @description What is to be known about it, in sentences. */
            notes: string[];
        };
        /** @description The value of a setting. */
        SetSetting: {
            /** @description As text. */
            value: string;
        };
        /** @description A setting was written. */
        SettingKept: {
            /** @description Its name. */
            name: string;
            /** @description What counts now; absent where nothing is set. */
            value?: string | null;
            /** @description What goes before the user's file and says otherwise, such as `environment TAGLINE_MODEL`. */
            behind?: string | null;
        };
        /** @description What is set. */
        Settings: {
            /** @description Of the program. */
            version: string;
            /** @description The profile of this server. */
            profile: string;
            /** @description The folder of a session for which none is named. */
            workspace: string;
            /** @description What is set, and where each value comes from. */
            config: unknown;
        };
        /** @description The models that were found. */
        ModelList: {
            models: components["schemas"]["ModelRow"][];
        };
        /** @description A model. */
        ModelRow: {
            /** @description `provider/model`. */
            name: string;
            /** @description Whether new sessions use it. */
            is_default: boolean;
            /**
             * Format: uint64
             * @description Tokens of its context, if known.
             */
            context?: number | null;
        };
        /** @description Each part of the server. */
        HealthReport: {
            /** @description Whether all are well. */
            is_well: boolean;
            /** @description Nothing begins by itself, because the server was started too often in a short time. */
            is_safe_mode: boolean;
            /** @description Each part. */
            checks: components["schemas"]["Check"][];
        };
        /** @description Whether one part is well. */
        Check: {
            /** @description The part, such as `journal` or `disk`. */
            name: string;
            /** @description Whether it is. */
            is_well: boolean;
            /** @description How it is, in words. */
            detail: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}

/** The bodies of requests and answers, by name. */
export type Schemas = components["schemas"];
