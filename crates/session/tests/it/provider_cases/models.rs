//! What a session needs of its model changes: a shorter conversation, another key, another model.

use std::sync::Arc;

use tagline_fake_provider::{Adapter, Answer, Provider, check_request};
use tagline_model::FallbackModel;
use tagline_protocol::Event;
use tagline_session::Task;

use super::bed::{ADAPTER, Bed, reply, status};

pub(super) async fn too_long() -> String {
    let bed = Bed::new().await;
    bed.provider.push(reply("<add why=\"first\"/>"));
    bed.provider.push(reply("Done."));
    bed.run(bed.model(ADAPTER, 6).await).await.done();
    let error = ADAPTER.wire().error("context_length_exceeded", "too long").to_string();
    bed.provider.always(Answer::status(400, &[], error.as_bytes()));
    let ended = bed.go_on(bed.model(ADAPTER, 6).await, Task::Say("and now?".into())).await;
    let requests: Vec<_> = (2..bed.n_asked()).map(|at| bed.body(at).to_string()).collect();
    let most = requests.iter().map(|one| requests.iter().filter(|it| *it == one).count()).max();
    assert!(most <= Some(2), "{requests:#?}");
    let (code, message) = ended.failed();
    assert_eq!(code, "context");
    assert!(message.contains("a message of results alone"), "{message}");
    "no request sent a third time; the message says what is too large".to_owned()
}

pub(super) async fn another_key() -> String {
    const OLD: &str = "sk-old-0123456789";
    const NEW: &str = "sk-new-0123456789";
    let bed = Bed::new().await;
    bed.provider.push(status(401));
    bed.provider.always(reply("Done."));
    let old = bed.model_with(ADAPTER, 6, Some(OLD)).await;
    assert_eq!(bed.run(old).await.failed().0, "auth");
    let new = bed.model_with(ADAPTER, 6, Some(NEW)).await;
    bed.go_on(new, Task::GoOn).await.done();
    let asked = bed.provider.asked();
    let holds = |at: usize, key: &str| format!("{:?}", asked[at]).contains(key);
    assert!(holds(0, OLD) && !holds(1, OLD) && holds(1, NEW));
    let tasks = bed.body(1)["messages"].to_string().matches("count").count();
    assert_eq!((asked.len(), tasks), (2, 1));
    "2 requests, the second with the new key alone and the same task once; done".to_owned()
}

pub(super) async fn another_model() -> String {
    let bed = Bed::new().await;
    let other = Provider::start().await.unwrap();
    bed.provider.push(reply("<add why=\"first\"/>"));
    bed.provider.always(status(529));
    other.always(Answer::stream(Adapter::Anthropic.wire().reply("Done.").as_bytes()));
    let first = bed.model(ADAPTER, 5).await;
    let behind = Bed::at(other.clone()).model(Adapter::Anthropic, 5).await;
    bed.run(Arc::new(FallbackModel::new(first, vec![behind]))).await.done();
    assert_eq!((bed.n_asked(), other.asked().len()), (6, 1));
    assert_eq!(check_request(Adapter::Anthropic.wire(), &other.asked()[0]), Ok(()));
    let mut switches = Vec::new();
    for frame in bed.shown() {
        if let Event::ModelState { state, detail: Some(detail) } = frame.event
            && state == "switched"
        {
            switches.push(detail);
        }
    }
    let [switch] = switches.as_slice() else { panic!("{switches:?}") };
    assert!(switch.contains("openai/") && switch.contains("anthropic/"), "{switch}");
    "5 requests fail, then 1 to the other, valid there; `switched` is in the journal".to_owned()
}
