//! A network of its own: what leads in, and that nothing leads out.

use std::{
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpListener, TcpStream, UdpSocket},
    thread,
    time::Duration,
};

use expect_test::expect;
use tagline_sandbox::network::Network;

use crate::bed::Bed;

/// A bed whose commands are in a network of their own; none where this machine gives no namespaces.
fn bed() -> Option<(Bed, Network)> {
    let mut bed = Bed::new()?;
    let network = Network::open(&bed.helper()).unwrap();
    bed.network = Some(network.membership());
    Some((bed, network))
}

fn listening(network: &Network) -> SocketAddr {
    loop {
        if let Some(place) = network.listening().into_values().next() {
            return place;
        }
        thread::sleep(Duration::from_millis(5));
    }
}

/// A server that answers with a word, over and over.
const SERVER: &str = "import socket,sys
s = socket.socket(socket.AF_INET6 if ':' in sys.argv[1] else socket.AF_INET)
s.bind((sys.argv[1], int(sys.argv[2]))); s.listen()
while True:
    c, _ = s.accept(); c.sendall(b'inside'); c.close()";

#[test]
fn nothing_leads_out() {
    let Some((bed, _network)) = bed() else { return };
    let (tcp, udp) =
        (TcpListener::bind("127.0.0.1:0").unwrap(), UdpSocket::bind("127.0.0.1:0").unwrap());
    let port = |address: SocketAddr| address.port();
    let (tcp_port, udp_port) = (port(tcp.local_addr().unwrap()), port(udp.local_addr().unwrap()));
    let script = format!(
        "exec 3<>/dev/tcp/127.0.0.1/{tcp_port} || echo no tcp
        echo x > /dev/udp/127.0.0.1/{udp_port}
        exec 3<>/dev/tcp/192.0.2.1/80 || echo no way
        python3 -c 'import socket; socket.getaddrinfo(\"example.com\", 80)' 2>/dev/null || echo no names
        python3 -c 'import socket; socket.socket(40, socket.SOCK_STREAM)' 2>&1 | tail -n 1"
    );
    let said = bed.text(&script).replace(&tcp_port.to_string(), "PORT");
    expect![[r#"
        bash: connect: Connection refused
        bash: line 2: /dev/tcp/127.0.0.1/PORT: Connection refused
        no tcp
        bash: connect: Network is unreachable
        bash: line 4: /dev/tcp/192.0.2.1/80: Network is unreachable
        no way
        no names
        PermissionError: [Errno 1] Operation not permitted
    "#]]
    .assert_eq(&said);
    tcp.set_nonblocking(true).unwrap();
    udp.set_nonblocking(true).unwrap();
    assert!(tcp.accept().is_err() && udp.recv(&mut [0]).is_err());
}

#[test]
fn commands_of_a_session_reach_each_other_and_we_reach_them() {
    for place in ["127.0.0.1", "::1", "0.0.0.0"] {
        let Some((bed, network)) = bed() else { return };
        let (mut child, leash) =
            bed.start(&format!("python3 -c \"{SERVER}\" {place} 8123")).unwrap();
        let at = listening(&network);
        assert_eq!(at.port(), 8123);
        let mut text = String::new();
        let mut stream = network.connect(at).unwrap();
        stream.set_nonblocking(false).unwrap();
        stream.read_to_string(&mut text).unwrap();
        assert_eq!(text, "inside");
        let local = if place == "::1" { "::1" } else { "127.0.0.1" };
        assert_eq!(bed.text(&format!("cat < /dev/tcp/{local}/8123")), "inside");
        assert!(TcpStream::connect(at).is_err(), "it is not in the network of this machine");
        drop(leash);
        child.wait().unwrap();
        // The kernel closes what killed processes had a moment later.
        while !network.listening().is_empty() {
            thread::sleep(Duration::from_millis(5));
        }
    }
}

#[test]
fn another_session_is_elsewhere() {
    let (Some((one, network)), Some((other, _other))) = (bed(), bed()) else { return };
    let (mut child, leash) = one.start(&format!("python3 -c \"{SERVER}\" 127.0.0.1 8123")).unwrap();
    listening(&network);
    let said = other.text("(cat < /dev/tcp/127.0.0.1/8123) 2>/dev/null || echo nobody");
    assert_eq!(said, "nobody\n");
    drop(leash);
    child.wait().unwrap();
}

#[test]
fn the_door_is_inside_and_ours() {
    let Some((bed, network)) = bed() else { return };
    let door = network.door().unwrap();
    let port = door.local_addr().unwrap().port();
    let keeper = thread::spawn(move || {
        let (mut stream, _) = door.accept().unwrap();
        stream.write_all(b"from outside").unwrap();
    });
    assert_eq!(bed.text(&format!("cat < /dev/tcp/127.0.0.1/{port}")), "from outside");
    keeper.join().unwrap();
    assert!(network.listening().is_empty(), "the door is nobody's server");
}

#[test]
fn it_ends_with_its_owner() {
    let Some((bed, network)) = bed() else { return };
    assert!(network.is_there());
    drop(network);
    assert!(bed.start("true").is_err(), "a command that would be elsewhere is not started");
}
