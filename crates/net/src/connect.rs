//! Connections to addresses that were judged.

use std::{fmt::Debug, io};

use futures_util::future::BoxFuture;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpStream,
};

use crate::gate::Checked;

/// Bytes both ways.
pub trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

/// Opens connections. It learns no name, so it cannot look one up.
pub trait Connect: Debug + Send + Sync {
    /// A connection to this address.
    fn connect(&self, to: Checked) -> BoxFuture<'_, io::Result<Box<dyn Stream>>>;
}

/// Connections of the system, by TCP.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemConnector;

impl Connect for SystemConnector {
    fn connect(&self, to: Checked) -> BoxFuture<'_, io::Result<Box<dyn Stream>>> {
        Box::pin(async move {
            let stream = TcpStream::connect(to.address()).await?;
            stream.set_nodelay(true)?;
            Ok(Box::new(stream) as Box<dyn Stream>)
        })
    }
}
