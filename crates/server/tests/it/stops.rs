//! How the server ends.

use tokio::net::TcpStream;

use crate::support::House;

#[tokio::test]
async fn a_server_that_was_told_to_stop_has_stopped() {
    let mut house = House::open().await;
    let idle = TcpStream::connect(house.address).await.unwrap();
    assert_eq!(house.ask("GET /healthz", &[], "").await.status, 200);
    house.stop.cancel();
    (&mut house.served).await.unwrap();
    assert!(TcpStream::connect(house.address).await.is_err());
    drop(idle);
}
