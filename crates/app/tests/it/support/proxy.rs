//! A way to a server that can be cut and mended.

use std::{
    io,
    net::{Shutdown, TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread,
};

/// Listens on a port of its own, and hands on what comes to a server.
pub(crate) struct Proxy {
    pub(crate) port: u16,
    way: Arc<Mutex<Way>>,
}

/// Where what comes goes.
enum Way {
    /// On, to this address; with both ends of what is open.
    Open(String, Vec<TcpStream>),
    /// Nowhere.
    Cut,
}

impl Proxy {
    /// One whose way is cut.
    pub(crate) fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let way = Arc::new(Mutex::new(Way::Cut));
        let shared = Arc::clone(&way);
        // It ends with the process of the test.
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                hand_on(client, &shared);
            }
        });
        Self { port, way }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Leads to this address from now on.
    pub(crate) fn mend(&self, server: &str) {
        *self.way.lock().unwrap() = Way::Open(server.to_owned(), Vec::new());
    }

    /// Ends what is open and takes nothing more.
    pub(crate) fn cut(&self) {
        if let Way::Open(_, open) = std::mem::replace(&mut *self.way.lock().unwrap(), Way::Cut) {
            open.iter().for_each(close);
        }
    }
}

fn close(socket: &TcpStream) {
    // The other end may have closed it already.
    let _ = socket.shutdown(Shutdown::Both);
}

/// What comes while the way is cut is closed.
fn hand_on(client: TcpStream, way: &Mutex<Way>) {
    let mut way = way.lock().unwrap();
    let Way::Open(address, open) = &mut *way else { return };
    let Ok(server) = TcpStream::connect(&*address) else { return };
    let clone = |socket: &TcpStream| socket.try_clone().unwrap();
    open.extend([clone(&client), clone(&server)]);
    pump(clone(&client), clone(&server));
    pump(server, client);
}

fn pump(mut from: TcpStream, mut to: TcpStream) {
    thread::spawn(move || {
        let _ = io::copy(&mut from, &mut to);
        close(&from);
        close(&to);
    });
}
