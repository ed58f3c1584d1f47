//! Names to addresses.

use std::{fmt::Debug, io, net::IpAddr};

use futures_util::future::BoxFuture;

/// Looks names up. It is asked once for each hop, and never for an address.
pub trait Resolve: Debug + Send + Sync {
    /// All addresses of a name: ASCII, lower case, without a last dot.
    fn look_up<'a>(&'a self, name: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>>;
}

/// The resolver of the system.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemResolver;

impl Resolve for SystemResolver {
    fn look_up<'a>(&'a self, name: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
        Box::pin(async move {
            let found = tokio::net::lookup_host((name, 0)).await?;
            Ok(found.map(|address| address.ip()).collect())
        })
    }
}
