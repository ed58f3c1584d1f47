//! Reading a result again of which a part was left out.

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use crate::bench::Bench;

async fn check(arguments: Value, expected: Expect) {
    expected.assert_eq(&Bench::new().echo("read_result", arguments).await);
}

#[tokio::test]
async fn a_piece_says_where_it_is_and_where_it_goes_on() {
    check(
        json!({ "call": "t1.3", "limit": 20 }),
        expect![[r#"
        t1.3: bytes 0 to 20 of 34000; read on with from 20
        0123456789äöü
        012"#]],
    )
    .await;
    check(
        json!({ "call": "t1.3", "from": 33_990 }),
        expect![[r#"
        t1.3: bytes 33990 to 34000 of 34000
        789äöü
    "#]],
    )
    .await;
}

#[tokio::test]
async fn characters_stay_whole() {
    check(
        json!({ "call": "t1.3", "from": 11, "limit": 1 }),
        expect![[r#"
        t1.3: bytes 10 to 12 of 34000; read on with from 12
        ä"#]],
    )
    .await;
    check(
        json!({ "call": "t1.3", "from": 10, "limit": 3 }),
        expect![[r#"
        t1.3: bytes 10 to 12 of 34000; read on with from 12
        ä"#]],
    )
    .await;
}

#[tokio::test]
async fn the_pieces_together_are_the_whole() {
    let bench = Bench::new();
    let (mut from, mut whole) = (0_u64, String::new());
    for _ in 0..10 {
        let call = json!({ "call": "t1.3", "from": from });
        let output = bench.call("read_result", call).await.unwrap();
        whole += output.echo.as_str().split_once('\n').unwrap().1;
        from = output.card.payload["to"].as_u64().unwrap();
    }
    assert_eq!(whole, "0123456789äöü\n".repeat(2_000));
}

#[tokio::test]
async fn what_is_not_there_is_said() {
    check(json!({ "call": "t9.9" }), expect!["missing: `call` of `read_result`: no call `t9.9` of this session has a result; give the one that the line about what is left out names"]).await;
    check(json!({ "call": "t1.4" }), expect!["failed: the journal is closed"]).await;
    check(json!({ "call": "t1.3", "from": 99_999 }), expect!["bad_call: `from` of `read_result`: expected at most 34000, the end of the result of `t1.3`, but found 99999"]).await;
}
