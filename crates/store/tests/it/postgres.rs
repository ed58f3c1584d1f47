//! Several servers on one database, and a database that comes and goes.

use std::time::Duration;

use expect_test::expect;
use tagline_store::{Durability, Gone, Journal as _, PostgresJournal, StoreError};
use tagline_test_postgres::{Cluster, Ending};

use crate::{
    conformance::{append, numbers, runtime, show, words},
    support::{message, session},
};

async fn connect(url: &str) -> PostgresJournal {
    PostgresJournal::connect(url).await.unwrap()
}

/// The words of an error, with what differs each time taken out.
fn told(url: &str, error: &StoreError) -> String {
    let words = error.to_string();
    assert!(!words.contains(Cluster::password()), "{words}");
    let address = url.rsplit('@').next().unwrap_or_default();
    words.replace(address, "[host]/[database]")
}

#[test]
fn what_one_server_appends_wakes_who_watches_on_another() {
    let url = Cluster::shared().database();
    runtime().block_on(async {
        let (here, there) = (connect(&url).await, connect(&url).await);
        here.create(session("a")).await.unwrap();
        let mut watch = there.watch("a").await.unwrap();
        append(&here, "a", "one two").await;
        assert_eq!(watch.changed().await, Ok(2));
        assert_eq!(show(&there, "a").await, "1 one\n2 two\n");
        here.delete("a").await.unwrap();
        assert_eq!(watch.changed().await, Err(Gone));
    });
}

#[test]
fn a_server_that_is_not_heard_of_loses_its_session_after_the_lease() {
    let cluster = Cluster::shared();
    let url = cluster.database();
    runtime().block_on(async {
        // Long enough that a busy machine is not taken for a dead one.
        let lease = Duration::from_secs(9);
        let old = PostgresJournal::connect_with(&url, lease).await.unwrap();
        let new = PostgresJournal::connect_with(&url, lease).await.unwrap();
        old.create(session("a")).await.unwrap();
        let held = old.acquire("a").await.unwrap();
        // It is kept by being heard of.
        let expires = || {
            cluster
                .ask(&url, "SELECT expires FROM tagline.leases JOIN tagline.servers USING (owner)")
        };
        let first = expires();
        while expires() == first {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        assert!(matches!(new.acquire("a").await, Err(StoreError::Busy { .. })));
        drop(held);
        // As a server on another machine would have left it.
        cluster.sql(
            &url,
            "INSERT INTO tagline.servers VALUES
                 ('far', 'process 7 on far', 'boot 7 7', clock_timestamp() + interval '1 h');
             UPDATE tagline.leases SET owner = 'far', epoch = 41",
        );
        let told = words(new.acquire("a").await);
        expect!["session `a` is in use by process 7 on far; wait for it or stop it"]
            .assert_eq(&told);
        // An hour later.
        cluster.sql(
            &url,
            "UPDATE tagline.servers SET expires = clock_timestamp() - interval '1 s'
             WHERE owner = 'far'",
        );
        assert_eq!(new.acquire("a").await.unwrap().epoch(), 42);
    });
}

#[test]
fn a_server_that_ended_in_good_order_is_not_waited_for() {
    let url = Cluster::shared().database();
    runtime().block_on(async {
        let old = connect(&url).await;
        old.create(session("a")).await.unwrap();
        let lease = old.acquire("a").await.unwrap();
        drop((old, lease));
        let new = connect(&url).await;
        while let Err(error) = new.acquire("a").await {
            assert!(matches!(error, StoreError::Busy { .. }), "{error}");
            tokio::task::yield_now().await;
        }
    });
}

/// Invariant 2 for a database server: it is killed while others append.
#[test]
fn what_was_acknowledged_outlives_the_death_of_the_database_server() {
    let cluster = Cluster::start();
    let url = cluster.database();
    runtime().block_on(async {
        let journal = connect(&url).await;
        journal.create(session("a")).await.unwrap();
        let other = connect(&url).await;
        let mut watch = other.watch("a").await.unwrap();
        let mut acknowledged = Vec::new();
        for (round, ending) in [Ending::Kill, Ending::Stop, Ending::Kill].into_iter().enumerate() {
            acknowledged.extend(append(&journal, "a", "before").await);
            let cut = journal.append("a", vec![message("cut"); 500], Durability::Full);
            let (cut, ()) = tokio::join!(cut, async {
                tokio::task::block_in_place(|| cluster.restart(ending, || ()));
            });
            acknowledged.extend(cut.iter().flatten().map(|frame| frame.seq));
            let read = numbers(&journal.read("a", 0, usize::MAX).await.unwrap());
            assert_eq!(read, (1..=read.len() as u64).collect::<Vec<_>>(), "round {round}");
            assert!(acknowledged.iter().all(|seq| read.contains(seq)), "round {round}");
        }
        let last = append(&journal, "a", "after").await[0];
        while watch.changed().await.unwrap() < last {}
    });
}

#[test]
fn an_address_that_leads_nowhere_is_told_without_the_password() {
    let url = Cluster::shared().database();
    let refused = |wrong: String| {
        let error = runtime().block_on(PostgresJournal::connect(&wrong)).err().unwrap();
        told(&wrong, &error)
    };
    expect![[r#"the journal at `postgres://tagline@[host]/[database]` cannot be reached: database "nothing" does not exist; start its server, or mend the address"#]]
        .assert_eq(&refused(url.replace("/test", "/nothing")).replace(char::is_numeric, ""));
    expect![[r#"the journal at `postgres://stranger@[host]/[database]` cannot be reached: password authentication failed for user "stranger"; start its server, or mend the address"#]].assert_eq(&refused(url.replace("tagline:", "stranger:")));
    let closed = "postgres://tagline:loopback-only-0451@127.0.0.1:1/nowhere".to_owned();
    expect!["the journal at `postgres://tagline@[host]/[database]` cannot be reached: Connection refused (os error 111); start its server, or mend the address"].assert_eq(&refused(closed));
}

#[test]
fn a_newer_format_is_refused_and_left_alone() {
    let cluster = Cluster::shared();
    let url = cluster.database();
    runtime().block_on(async {
        drop(connect(&url).await);
        cluster.sql(&url, "UPDATE tagline.format SET format = 7");
        let error = PostgresJournal::connect(&url).await.unwrap_err();
        expect!["the journal at `postgres://tagline@[host]/[database]`: expected format 3 or older, but found format 7; nothing was changed; use the newer tagline that wrote it"].assert_eq(&told(&url, &error));
    });
}

#[test]
fn two_servers_that_start_at_once_make_the_tables_once() {
    let url = Cluster::shared().database();
    runtime().block_on(async {
        let both = tokio::join!(PostgresJournal::connect(&url), PostgresJournal::connect(&url));
        let (left, right) = (both.0.unwrap(), both.1.unwrap());
        left.create(session("a")).await.unwrap();
        assert_eq!(append(&right, "a", "one").await, [1]);
    });
}

#[test]
fn a_database_that_may_only_be_read_says_so() {
    let cluster = Cluster::shared();
    let url = cluster.database();
    runtime().block_on(async {
        drop(connect(&url).await);
        let name = url.rsplit('/').next().unwrap_or_default();
        cluster.sql(&url, &format!("ALTER DATABASE {name} SET default_transaction_read_only = on"));
        let error = PostgresJournal::connect(&url).await.unwrap_err();
        expect!["the journal at `postgres://tagline@[host]/[database]`: cannot execute INSERT in a read-only transaction"].assert_eq(&told(&url, &error));
    });
}

#[test]
fn a_letter_reaches_the_server_that_has_the_session() {
    let url = Cluster::shared().database();
    runtime().block_on(async {
        let (owner, other) = (connect(&url).await, connect(&url).await);
        owner.create(session("a")).await.unwrap();
        let _lease = owner.acquire("a").await.unwrap();
        let mut watch = owner.letters("a").await.unwrap();
        other.post("a", "stop".to_owned()).await.unwrap();
        watch.changed().await.unwrap();
        assert_eq!(owner.collect("a").await.unwrap(), ["stop"]);
    });
}
