//! The page in a real browser, and the pages of others beside it.

mod attacks;
mod driver;

use std::path::PathBuf;

use tagline_protocol::Mode;

use self::driver::{Browser, Page};
use crate::{
    media::PNG,
    support::{House, JSON, Setup},
};

const TURN: &str = "=== reply\nI count.\n<add why=\"first\"/>\n=== reply\nDone, and <b>this</b> is \
    text: <script>document.title = 'owned'</script>\n=== repeat forever\n";

async fn house(mode: Mode) -> House {
    House::of(Setup { script: TURN.to_owned(), mode, ..Setup::default() }).await
}

async fn signed_in<'a>(browser: &'a Browser, house: &House) -> Page<'a> {
    let code = house.tokens.code().unwrap();
    let page = browser.page(&format!("http://{}/#t={code}", house.host())).await;
    page.until("document.querySelector('#room')?.hidden === false").await;
    page
}

async fn say(page: &Page<'_>, text: &str) {
    page.value(&format!(
        "document.querySelector('#say').value = {text:?}; \
         document.querySelector('#composer').requestSubmit()"
    ))
    .await;
}

fn pictures(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("pictures").join(name)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_shows_a_session_live_and_asks_what_it_asks() {
    let (browser, house) = (Browser::start().await, house(Mode::Ask).await);
    let page = signed_in(&browser, &house).await;
    let address = page.value("location.href").await;
    assert_eq!(address, format!("http://{}/", house.host()), "the code left the address");
    page.click("#new").await;
    say(&page, "Count the apples").await;
    page.until("!!document.querySelector('.card .yes')").await;
    page.picture(&pictures("asks.png")).await;
    assert_eq!(page.nameless().await, Vec::<String>::new());
    page.click(".card .yes").await;
    page.until("document.querySelector('#log').innerText.includes('The turn has ended')").await;
    let log = page.text("#log").await;
    assert!(log.contains("this is text") || log.contains("<b>this</b> is text"), "{log}");
    assert_eq!(page.value("document.title").await, "Tagline");
    page.dark().await;
    page.picture(&pictures("done.png")).await;
    assert_eq!(page.nameless().await, Vec::<String>::new());
    assert_eq!(page.violations().await, Vec::<String>::new());
    let kept = page.value("document.cookie").await;
    assert_eq!(kept, "", "no cookie");
    house.hub.shutdown(std::time::Duration::from_secs(5)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_image_of_a_message_is_shown() {
    let (browser, house) = (Browser::start().await, house(Mode::Full).await);
    let id = house.session().await;
    let image = serde_json::json!({
        "url": format!("data:image/png;base64,{PNG}"), "media_type": "image/png", "label": "a dot",
    });
    let body = serde_json::json!({ "text": "look", "media": [image] }).to_string();
    house.asks(&format!("POST /api/sessions/{id}/messages"), &[JSON], &body).await;
    let page = signed_in(&browser, &house).await;
    page.until("document.querySelector('#log .user img')?.naturalWidth === 1").await;
    assert_eq!(page.value("document.querySelector('#log .user img').alt").await, "a dot");
    assert_eq!(page.violations().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_goes_on_after_a_restart_with_nothing_lost_or_doubled() {
    let (browser, mut house) = (Browser::start().await, house(Mode::Full).await);
    let page = signed_in(&browser, &house).await;
    page.click("#new").await;
    say(&page, "one").await;
    page.until("document.querySelector('#log').innerText.includes('The turn has ended')").await;
    house.reopen().await;
    say(&page, "two").await;
    page.until("document.querySelectorAll('#log .user').length === 2").await;
    page.until("document.querySelector('#log').innerText.split('The turn has ended').length === 3")
        .await;
    let users =
        page.value("[...document.querySelectorAll('#log .user .text')].map((e) => e.textContent)");
    assert_eq!(users.await, serde_json::json!(["one", "two"]));
    assert_eq!(page.text("#link").await, "Connected");
    assert_eq!(page.violations().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replaced_token_is_explained_and_a_new_link_goes_on() {
    let (browser, house) = (Browser::start().await, house(Mode::Full).await);
    let page = signed_in(&browser, &house).await;
    page.click("#new").await;
    page.value("document.querySelector('#say').value = 'a draft'").await;
    house.tokens.rotate().unwrap();
    page.until("document.querySelector('#door').hidden === false").await;
    assert!(page.text("#door-why").await.contains("The token was replaced"));
    let code = house.tokens.code().unwrap();
    let link = format!("http://{}/#t={code}", house.host());
    page.value(&format!("document.querySelector('#key-link').value = {link:?}")).await;
    page.value("document.querySelector('#key').requestSubmit()").await;
    page.until("document.querySelector('#room').hidden === false").await;
    assert_eq!(page.value("document.querySelector('#say').value").await, "a draft");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reply_without_measure_leaves_the_page_usable() {
    let rows = "| a | b |\n".repeat(20_000);
    let (line, marks) = ("x".repeat(5 * 1_048_576), "\u{301}".repeat(100_000));
    let script = format!("=== reply\n{rows}\n{line}\n{marks}\nDone.\n");
    let house = House::of(Setup { script, mode: Mode::Full, ..Setup::default() }).await;
    let browser = Browser::start().await;
    let page = signed_in(&browser, &house).await;
    page.click("#new").await;
    say(&page, "one").await;
    page.until("document.querySelector('#log').innerText.includes('The turn has ended')").await;
    let n = page.value("document.querySelector('#log').textContent.length").await;
    assert!(n.as_u64().unwrap() < 100_000, "{n} characters are shown");
    assert!(page.text("#log").await.contains("are not shown"));
    page.value("document.querySelector('#say').focus()").await;
    assert_eq!(page.value("document.activeElement.id").await, "say");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_slipped_into_the_page_does_not_run() {
    let (browser, house) = (Browser::start().await, house(Mode::Full).await);
    let page = signed_in(&browser, &house).await;
    page.value(
        "const script = document.createElement('script'); \
         try { script.textContent = 'window.owned = 1' } catch {} \
         document.body.append(script); \
         try { document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.owned = 1\">') } catch {} \
         const frame = document.createElement('iframe'); frame.src = 'http://evil.test/'; document.body.append(frame); \
         fetch('http://evil.test/').catch(() => {}); \
         const image = new Image(); image.src = 'http://evil.test/x.png'; document.body.append(image);",
    )
    .await;
    page.until("window.violations.length >= 3").await;
    assert_eq!(page.value("window.owned ?? 0").await, 0);
}
