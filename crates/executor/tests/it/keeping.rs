//! What calls change is looked at before they begin and after they ended.

use std::{path::PathBuf, sync::Arc};

use expect_test::{Expect, expect};
use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use tagline_executor::{After, Keep, Keeping, ToolContext};
use tagline_policy::Claims;
use tagline_protocol::{Call, CallId};

use crate::{
    bench::{Person, Setup},
    tools::Log,
};

/// Looks, and logs that it did.
struct Eye(Arc<Log>);

impl Keep for Eye {
    fn before<'a>(
        &'a self,
        call: &'a Call,
        _claims: &'a Claims,
        _cx: &'a ToolContext,
    ) -> BoxFuture<'a, Option<Box<dyn After>>> {
        Box::pin(async move {
            self.0.note(format!("{}: looked before", call.id));
            Some(Box::new(Self(Arc::clone(&self.0))) as Box<dyn After>)
        })
    }

    fn aside(&self, _call: &CallId, _paths: &[PathBuf], take: &mut dyn FnMut()) -> Option<String> {
        take();
        None
    }
}

impl After for Eye {
    fn after<'a>(self: Box<Self>, cx: &'a ToolContext) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            let whose = if cx.is_approved { ", which a person approved" } else { "" };
            self.0.note(format!("{}: looked after{whose}", cx.call));
            cx.audit.note("looked", true);
        })
    }
}

async fn check(setup: Setup, calls: &[(&str, Value)], log: Expect) {
    let bench = setup.bench_with(|log| Keeping(Arc::new(Eye(log))));
    bench.run(calls).await;
    log.assert_eq(&bench.log.text());
}

#[tokio::test(start_paused = true)]
async fn around_each_run() {
    let calls = [("append", json!({ "line": "x" })), ("crash", json!({}))];
    check(Setup::default(), &calls, expect![[r#"
        c1: looked before
        c1: tool.running attempt=1 decision="mode full"
        c1: live tool.output
        effect x
        c1: looked after
        c1: tool.done, audit outcome="done" attempts=1 decision="mode full" notes={"line":"x","looked":true}
        c2: looked before
        c2: tool.running attempt=1 decision="mode full"
        c2: looked after
        c2: tool.failed, audit outcome="failed" attempts=1 decision="mode full" notes={"looked":true}
    "#]]).await;
}

#[tokio::test(start_paused = true)]
async fn never_where_nothing_runs() {
    let setup = Setup { mode: tagline_policy::Mode::Ask, person: Person::No, ..Setup::default() };
    check(
        setup,
        &[("append", json!({ "line": "x" }))],
        expect![[r#"
        c1: approval.asked
        c1: approval.answered is_allowed=false by="user"
        c1: tool.failed, audit outcome="denied" attempts=0 decision="user" notes={}
    "#]],
    )
    .await;
}

/// What a rule lets run was not approved, also where the rule came with an answer.
#[tokio::test(start_paused = true)]
async fn a_call_is_approved_where_a_person_said_yes_to_it() {
    let ask = tagline_policy::Mode::Ask;
    let setup = |person| Setup { mode: ask, person, ..Setup::default() };
    let one = [("append", json!({ "line": "x" }))];
    let two = [("append", json!({ "line": "x" })), ("append", json!({ "line": "y" }))];
    check(setup(Person::Yes), &one, expect![[r#"
        c1: approval.asked
        c1: approval.answered is_allowed=true by="user"
        c1: looked before
        c1: tool.running attempt=1 decision="user"
        c1: live tool.output
        effect x
        c1: looked after, which a person approved
        c1: tool.done, audit outcome="done" attempts=1 decision="user" notes={"line":"x","looked":true}
    "#]]).await;
    check(setup(Person::Always), &two, expect![[r#"
        c1: approval.asked
        c1: approval.answered is_allowed=true by="user: tool append"
        c1: looked before
        c1: tool.running attempt=1 decision="user: tool append"
        c1: live tool.output
        effect x
        c1: looked after, which a person approved
        c1: tool.done, audit outcome="done" attempts=1 decision="user: tool append" notes={"line":"x","looked":true}
        c2: looked before
        c2: tool.running attempt=1 decision="rule: allow tool append"
        c2: live tool.output
        effect y
        c2: looked after
        c2: tool.done, audit outcome="done" attempts=1 decision="rule: allow tool append" notes={"line":"y","looked":true}
    "#]]).await;
}
