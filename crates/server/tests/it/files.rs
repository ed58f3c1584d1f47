//! Files over HTTP, and the names they come with.

use proptest::prelude::*;
use tagline_server::{FileName, FilePath};

use crate::support::{House, JSON};

const BYTES: &str = "Content-Type: application/octet-stream";

#[tokio::test]
async fn a_file_is_uploaded_listed_read_moved_and_renamed() {
    let house = House::open().await;
    let up = "POST /api/files/upload?folder=home:/notes&name=C%3A%5Cfakepath%5Ca%20b.html";
    let made = house.asks(up, &[BYTES], "<h1>hi</h1>").await;
    assert_eq!((made.status, &made.json()["path"]), (201, &"home:/notes/a b.html".into()));
    assert_eq!(house.asks(up, &[BYTES], "x").await.short(), "409 file_exists");
    let again = format!("{up}&replace=true");
    assert_eq!(house.asks(&again, &[BYTES], "<h1>ho</h1>").await.status, 201);
    let raw = house.asks("GET /api/files/raw?path=home:/notes/a%20b.html", &[], "").await;
    assert_eq!(raw.body, "<h1>ho</h1>");
    assert_eq!(raw.header("content-disposition"), Some("attachment"));
    assert!(raw.header("content-security-policy").unwrap().contains("sandbox"));
    let body = r#"{"path":"home:/notes/a b.html","name":"c.html"}"#;
    let renamed = house.asks("POST /api/files/rename", &[JSON], body).await;
    assert_eq!(renamed.json()["path"], "home:/notes/c.html");
    let body = r#"{"from":"home:/notes/c.html","to":"home:/d.html"}"#;
    assert_eq!(house.asks("POST /api/files/move", &[JSON], body).await.status, 200);
    let body = r#"{"path":"home:/new"}"#;
    assert_eq!(house.asks("POST /api/files/folder", &[JSON], body).await.status, 201);
    let list = house.asks("GET /api/files?path=home:/", &[], "").await.json();
    let names: Vec<&str> = list["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["d.html", "new"]);
}

#[tokio::test]
async fn a_sessions_folder_is_reached_by_its_session() {
    let house = House::open().await;
    let id = house.session().await;
    let up = format!("POST /api/files/upload?folder=src&name=a.rs&session={id}");
    assert_eq!(house.asks(&up, &[BYTES], "x").await.json()["path"], "src/a.rs");
    let nobody = house.asks("GET /api/files?path=src", &[], "").await;
    assert_eq!(nobody.short(), "400 bad_name");
    let gone = house.asks("GET /api/files?path=src&session=zz", &[], "").await;
    assert_eq!(gone.short(), "404 no_session");
}

#[tokio::test]
async fn paths_that_climb_are_refused_before_any_file_is_looked_at() {
    let house = House::open().await;
    let id = house.session().await;
    let paths = [
        "..",
        "../a",
        "a/../../b",
        "/etc/passwd",
        "a/./b",
        "~/a\\..\\b",
        "a%00b",
        "home:/..",
        "home://etc",
        "home:/a/../..",
        "device:/etc",
        "file:///etc",
        "C:/a",
        "a/CON",
        "nul.txt",
        "a/b.",
        "a/b%20",
        "%E2%80%AEtxt.exe",
        "a%0Ab",
        "con%20.txt",
        "LPT1",
    ];
    for path in paths {
        let line = format!("GET /api/files/raw?path={path}&session={id}");
        assert_eq!(house.asks(&line, &[], "").await.short(), "400 bad_name", "{path}");
        let line = format!("POST /api/files/upload?folder={path}&name=a&session={id}");
        assert_eq!(house.asks(&line, &[BYTES], "x").await.short(), "400 bad_name", "{path}");
    }
    assert!(house.stage.files.lock().unwrap().is_empty());
}

#[test]
fn names_from_outside_are_one_safe_component_or_none() {
    let cases = [
        ("a.txt", Some("a.txt")),
        ("../../etc/passwd", Some("passwd")),
        ("C:\\Users\\x\\a.txt", Some("a.txt")),
        ("a\0b\n.txt", Some("ab.txt")),
        ("  a.txt. ", Some("a.txt")),
        (".bashrc", Some(".bashrc")),
        ("\u{202e}txt.exe", Some("txt.exe")),
        ("a.txt:stream", Some("stream")),
        ("..", None),
        (".", None),
        ("", None),
        ("/", None),
        ("CON", None),
        ("nul.tar.gz", None),
        ("com1", None),
        ("LPT\u{b9}.txt", None),
        ("äöü €.txt", Some("äöü €.txt")),
    ];
    for (given, expected) in cases {
        let name = FileName::reduced(given);
        assert_eq!(name.as_ref().map(FileName::as_str), expected, "{given:?}");
    }
    assert!(FileName::reduced(&"é".repeat(500)).unwrap().as_str().len() <= 200);
}

proptest! {
    #[test]
    fn no_name_climbs(text in "[a/\\\\.:~ \u{0}\u{202e}é%-]{0,12}") {
        if let Some(name) = FileName::reduced(&text) {
            prop_assert_eq!(FileName::exact(name.as_str()), Some(name.clone()));
            let is_one = !name.as_str().contains(['/', '\\', '\0', ':']);
            prop_assert!(is_one && name.as_str() != "." && name.as_str() != "..");
        }
        if let Ok(path) = FilePath::read(&text, Some("s")) {
            prop_assert!(path.to_string().split('/').all(|part| part != ".." && part != "."));
        }
    }
}
