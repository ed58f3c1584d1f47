//! Keys go home, and nowhere else.

use futures_util::StreamExt as _;
use serde_json::json;
use tagline_model::{Connector, Env, ModelRef, ProviderConfig};

use tagline_fake_provider::{WIRES, Wire};

use crate::{
    played::{collect, request},
    server::{Asked, Canned, Server},
    streams::{KEY, model},
};

fn holds_key(asked: &Asked) -> bool {
    format!("{asked:?}").contains(KEY)
        || asked.headers.values().any(|value| value.to_str().unwrap().contains(KEY))
}

#[tokio::test]
async fn a_redirect_to_another_origin_is_refused_and_one_within_is_followed() {
    for wire in WIRES {
        let elsewhere = Server::start([]).await;
        for status in [301, 302, 307, 308] {
            let away = Canned::redirect(status, format!("{}/x?k=secret", elsewhere.address));
            let server = Server::start([away]).await;
            let played = collect(model(wire, &server).await.as_ref()).await;
            let fault = played.end.unwrap_err();
            assert_eq!(fault.code, "redirect");
            assert!(
                fault.message.contains(&elsewhere.address) && !fault.message.contains("secret")
            );
        }
        assert!(elsewhere.asked().is_empty(), "{wire:?}: the other origin was asked");

        let within = Canned::redirect(308, "/moved".to_owned());
        let server = Server::start([within, Canned::stream(&wire.reply("ok"), 100)]).await;
        let played = collect(model(wire, &server).await.as_ref()).await;
        assert_eq!(played.text, "ok");
        assert!(server.asked().iter().all(holds_key));
    }
}

#[tokio::test]
async fn an_address_in_the_models_name_gets_no_key() {
    let list = json!({"data": [{"id": "small"}]});
    let env = Env::from_iter([("OPENAI_API_KEY", KEY), ("OLLAMA_API_KEY", KEY)]);
    for name in ["openai/x@", "ollama@", ""] {
        let server = Server::start([
            Canned::json(200, &list),
            Canned::stream(&Wire::OpenAi.reply("ok"), 100),
        ])
        .await;
        let reference = ModelRef::parse(&format!("{name}{}", server.address)).unwrap();
        let model = Connector::default()
            .connect(&reference, &ProviderConfig::default(), &env)
            .await
            .unwrap();
        assert_eq!(collect(model.as_ref()).await.text, "ok");
        assert_eq!(server.asked().len(), 2);
        assert!(!server.asked().iter().any(holds_key), "{name}");
    }
}

#[tokio::test]
async fn a_key_that_a_provider_echoes_is_not_shown() {
    for wire in WIRES {
        let error = wire.error("authentication_error", &format!("Incorrect key: {KEY}!"));
        let server = Server::start([Canned::json(401, &error)]).await;
        let model = model(wire, &server).await;
        let shown = format!("{model:?} {:?}", model.info());
        assert!(!shown.contains(KEY), "{shown}");
        let fault = collect(model.as_ref()).await.end.unwrap_err();
        assert!(!format!("{fault:?}").contains(KEY), "{fault}");
        assert!(fault.message.contains("Incorrect key: ***"), "{fault}");
        assert!(fault.is_setup());
    }
}

#[tokio::test]
async fn a_recording_holds_no_key_even_where_it_was_cut() {
    for wire in WIRES {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tape.jsonl");
        let body = wire.head() + &wire.delta(&format!("your key is {KEY}.")) + &wire.tail();
        let server = Server::start([Canned::stream(&body, 3)]).await;
        let config = ProviderConfig { record: Some(path.clone()), ..ProviderConfig::default() };
        let config = ProviderConfig {
            address: Some(server.address.clone()),
            key: Some(KEY.to_owned().into()),
            ..config
        };
        let name = match wire {
            Wire::OpenAi => "openai/m",
            Wire::Anthropic => "anthropic/m",
            Wire::Gemini => "gemini/m",
        };
        let reference = ModelRef::parse(name).unwrap();
        let model =
            Connector::default().connect(&reference, &config, &Env::default()).await.unwrap();
        let events: Vec<_> = model.ask(request(&format!("my key: {KEY}"))).collect().await;
        assert!(events.iter().all(Result::is_ok), "{events:?}");
        assert!(holds_key(&server.asked()[0]));
        let tape = std::fs::read_to_string(&path).unwrap();
        assert!(!tape.contains(KEY), "{tape}");
        assert!(!format!("{config:?}").contains(KEY));
        let again = tagline_model::CassetteModel::from_path(&path).unwrap();
        let played = collect(&again).await;
        assert_eq!(played.text, format!("your key is {}.", "*".repeat(KEY.len())), "{wire:?}");
    }
}
