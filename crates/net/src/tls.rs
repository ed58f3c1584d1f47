//! TLS with the name that was asked for.

use std::sync::{Arc, OnceLock};

use rustls::{
    ClientConfig, RootCertStore,
    crypto::{CryptoProvider, aws_lc_rs},
    pki_types::{CertificateDer, ServerName, pem::PemObject as _},
};
use rustls_platform_verifier::BuilderVerifierExt as _;
use tokio_rustls::{TlsConnector, client::TlsStream};

use crate::{
    connect::Stream,
    error::{Problem, said},
    host::Host,
};

/// Whom to trust.
#[derive(Clone, Debug, Default)]
pub enum Trust {
    /// Whom the system trusts.
    #[default]
    System,
    /// These authorities alone: certificates as PEM.
    Only(Vec<u8>),
}

/// The settings of TLS, made when the first connection needs them: reading the system's
/// authorities takes a while.
#[derive(Debug, Default)]
pub(crate) struct Tls {
    trust: Trust,
    made: OnceLock<Result<Arc<ClientConfig>, String>>,
}

impl Tls {
    pub(crate) fn new(trust: Trust) -> Self {
        Self { trust, made: OnceLock::new() }
    }

    /// Speaks TLS over a connection; the other end must prove that it is `host`.
    pub(crate) async fn over(
        &self,
        stream: Box<dyn Stream>,
        host: &Host,
    ) -> Result<TlsStream<Box<dyn Stream>>, Problem> {
        let made = self.made.get_or_init(|| config(&self.trust).map(Arc::new));
        let config = made.clone().map_err(Problem::Tls)?;
        let connector = TlsConnector::from(config);
        let stream = connector.connect(name(host)?, stream).await;
        stream.map_err(|error| Problem::Tls(said(&error)))
    }
}

fn name(host: &Host) -> Result<ServerName<'static>, Problem> {
    match host {
        Host::Name(name) => {
            ServerName::try_from(name.clone()).map_err(|error| Problem::Tls(error.to_string()))
        }
        Host::Address(address) => Ok(ServerName::IpAddress((*address).into())),
    }
}

fn config(trust: &Trust) -> Result<ClientConfig, String> {
    let provider: Arc<CryptoProvider> = Arc::new(aws_lc_rs::default_provider());
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?;
    let builder = match trust {
        Trust::System => builder.with_platform_verifier().map_err(|error| error.to_string())?,
        Trust::Only(pem) => builder.with_root_certificates(roots(pem)?),
    };
    let mut config = builder.with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}

fn roots(pem: &[u8]) -> Result<RootCertStore, String> {
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(pem) {
        let certificate = certificate.map_err(|error| error.to_string())?;
        roots.add(certificate).map_err(|error| error.to_string())?;
    }
    Ok(roots)
}
