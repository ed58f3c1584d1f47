//! Models, keys and who the assistant is: the same for the page and for `tagline init`.

mod key;
mod providers;
mod setting;

pub(crate) use self::{
    key::{forget_key, keep_key, takes_key},
    providers::providers,
    setting::set,
};
