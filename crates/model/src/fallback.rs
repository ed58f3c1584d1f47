//! A model with others behind it.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use futures_util::StreamExt as _;
use tokio::time::Instant;

use crate::{FaultClass, Model, ModelEvent, ModelFault, ModelInfo, ModelStream, Request};

/// How long the others are kept to, before the first is asked again.
const KEPT: Duration = Duration::from_secs(300);

/// A model, and others that are asked where it cannot answer.
///
/// A switch is shown as a state `switched`, before anything of the reply; behind a part of a reply
/// nothing is switched. Each model is sent the same request in its own provider's form.
#[derive(Clone, Debug)]
pub struct FallbackModel {
    first: Arc<dyn Model>,
    others: Vec<Arc<dyn Model>>,
    /// Which of the others is kept to, and until when.
    kept: Arc<Mutex<Option<(usize, Instant)>>>,
}

impl FallbackModel {
    /// `first`, and the others in the order in which they are asked.
    #[must_use]
    pub fn new(first: Arc<dyn Model>, others: Vec<Arc<dyn Model>>) -> Self {
        Self { first, others, kept: Arc::default() }
    }

    /// Where to begin: 0 is the first.
    fn begins(&self) -> usize {
        let kept = *self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.filter(|(_, until)| Instant::now() < *until).map_or(0, |(at, _)| at)
    }

    fn keep_to(&self, at: Option<usize>) {
        let kept = at.map(|at| (at, Instant::now() + KEPT));
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = kept;
    }

    fn model(&self, at: usize) -> Option<&Arc<dyn Model>> {
        match at.checked_sub(1) {
            None => Some(&self.first),
            Some(other) => self.others.get(other),
        }
    }

    /// The model behind this one, and how the switch is shown.
    fn next(&self, at: usize, fault: &ModelFault) -> Option<(usize, ModelEvent)> {
        let is_provider = match fault.class {
            FaultClass::Retry | FaultClass::RetryAfter(_) => true,
            FaultClass::Compact | FaultClass::AskUser | FaultClass::Fail => false,
        };
        let next = self.model(at + 1).filter(|_| is_provider);
        // Where the last one fails, too, the next request begins with the first again.
        self.keep_to(next.map(|_| at + 1));
        let next = next?;
        let from = self.model(at).map_or("", |model| model.info().name.as_str());
        let detail = format!("from `{from}` (`{}`) to `{}`", fault.code, next.info().name);
        let shown = ModelEvent::State { state: "switched".to_owned(), detail: Some(detail) };
        Some((at + 1, shown))
    }
}

impl Model for FallbackModel {
    fn info(&self) -> &ModelInfo {
        self.first.info()
    }

    fn ask(&self, request: Request) -> ModelStream {
        let this = self.clone();
        Box::pin(async_stream::try_stream! {
            let mut at = this.begins();
            while let Some(model) = this.model(at) {
                let mut events = model.ask(request.clone());
                let mut has_output = false;
                let mut failed = None;
                while let Some(event) = events.next().await {
                    match event {
                        Ok(event) => {
                            has_output |= event.is_output();
                            yield event;
                        }
                        Err(fault) => failed = Some(fault),
                    }
                }
                let Some(fault) = failed else { break };
                let next = if has_output { None } else { this.next(at, &fault) };
                match next {
                    Some((next, shown)) => {
                        yield shown;
                        at = next;
                    }
                    None => Err(fault)?,
                }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use std::{sync::Arc, time::Duration};

    use expect_test::{Expect, expect};
    use futures_util::StreamExt as _;

    use super::FallbackModel;
    use crate::{Model, ModelEvent, Request, ScriptedModel};

    fn scripted(script: &str) -> Arc<dyn Model> {
        Arc::new(ScriptedModel::from_text(script).unwrap())
    }

    async fn ask(model: &FallbackModel) -> String {
        let events: Vec<_> = model.ask(Request::default()).collect().await;
        let words = events.into_iter().map(|event| match event {
            Ok(ModelEvent::Text(text)) => text.trim().to_owned(),
            Ok(ModelEvent::State { state, .. }) => state,
            Ok(other) => format!("{other:?}"),
            Err(fault) => fault.code,
        });
        words.collect::<Vec<_>>().join(", ")
    }

    /// Asks twice, the second time after a wait.
    #[track_caller]
    fn check(first: &str, other: &str, wait: u64, expected: Expect) {
        let model = FallbackModel::new(scripted(first), vec![scripted(other)]);
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
        let said = runtime.unwrap().block_on(async {
            let once = ask(&model).await;
            tokio::time::sleep(Duration::from_secs(wait)).await;
            format!("{once}\n{}\n", ask(&model).await)
        });
        expected.assert_eq(&said);
    }

    const BUSY: &str = "=== reply\n=== fault overloaded retry busy\n";
    const OK: &str = "=== reply\nother\n=== repeat forever\n";

    #[test]
    fn the_other_is_kept_to_for_a_while_and_then_the_first_is_asked_again() {
        let first = BUSY.to_owned() + "=== reply\nfirst\n";
        check(&first, OK, 10, expect![["switched, other, Finish(Stop)\nother, Finish(Stop)\n"]]);
        check(&first, OK, 301, expect![["switched, other, Finish(Stop)\nfirst, Finish(Stop)\n"]]);
    }

    #[test]
    fn nothing_is_switched_for_a_key_or_behind_a_part_of_a_reply() {
        let key = "=== reply\n=== fault auth ask_user no\n=== repeat forever\n";
        check(
            key,
            OK,
            0,
            expect![[r#"
            auth
            auth
        "#]],
        );
        let cut = "=== reply\nhalf\n=== fault cut retry gone\n=== repeat forever\n";
        check(
            cut,
            OK,
            0,
            expect![[r#"
                half, cut
                half, cut
            "#]],
        );
    }

    #[test]
    fn where_none_answers_the_last_fault_counts() {
        let gone = "=== reply\n=== fault connect retry gone\n=== repeat forever\n";
        check(
            &(BUSY.to_owned() + BUSY),
            gone,
            0,
            expect![[r#"
                switched, connect
                switched, connect
            "#]],
        );
    }
}
