//! System calls that a command has no use for but to get out.

use std::{collections::BTreeMap, io};

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch,
};

/// They change what is mounted, make namespaces, load code into the kernel, or reach past paths.
const REFUSED: &[libc::c_long] = &[
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsmount,
    libc::SYS_fsconfig,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_open_by_handle_at,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_kexec_file_load,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_quotactl,
    libc::SYS_acct,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
];

/// What a filter cannot look into, or what would do calls behind its back: a program that hears that
/// the kernel is too old for them takes another way.
const UNKNOWN: &[libc::c_long] = &[
    libc::SYS_clone3,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
];

const NAMESPACES: libc::c_int = libc::CLONE_NEWUSER
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWCGROUP;

/// Kinds of addresses that a network of its own is one of, or that never leave the machine: each
/// other kind may lead out of it.
const FAMILIES: [libc::c_int; 4] = [libc::AF_UNIX, libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK];

/// What a command without the machine's network has instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Network {
    /// One of its own.
    Own,
    /// The machine's, in which it can connect by TCP alone, and that is kept elsewhere.
    Tcp,
}

/// The filters; all of them hold.
pub(super) fn filters(network: Option<Network>) -> io::Result<Vec<BpfProgram>> {
    let refused = REFUSED.iter().map(|&call| (call, Vec::new()));
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = refused.collect();
    rules.insert(libc::SYS_clone, namespaces().map_err(wrong)?);
    rules.insert(libc::SYS_ioctl, terminal().map_err(wrong)?);
    if let Some(network) = network {
        rules.insert(libc::SYS_socket, sockets(network).map_err(wrong)?);
    }
    let unknown = UNKNOWN.iter().map(|&call| (call, Vec::new())).collect();
    Ok(vec![filter(rules, libc::EPERM)?, filter(unknown, libc::ENOSYS)?])
}

fn filter(rules: BTreeMap<i64, Vec<SeccompRule>>, error: i32) -> io::Result<BpfProgram> {
    let arch = TargetArch::try_from(std::env::consts::ARCH).map_err(wrong)?;
    let refuse = SeccompAction::Errno(error.unsigned_abs());
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refuse, arch).map_err(wrong)?;
    filter.try_into().map_err(wrong)
}

/// A process in a namespace of its own: one rule for each kind.
fn namespaces() -> Result<Vec<SeccompRule>, seccompiler::BackendError> {
    (0..31)
        .map(|bit| 1_u64 << bit)
        .filter(|flag| NAMESPACES.unsigned_abs() & *flag as u32 != 0)
        .map(|flag| {
            let is_set = SeccompCmpOp::MaskedEq(flag);
            SeccompRule::new(vec![SeccompCondition::new(0, SeccompCmpArgLen::Qword, is_set, flag)?])
        })
        .collect()
}

/// Sockets of which nobody else keeps where they lead: the rules name what is refused.
fn sockets(network: Network) -> Result<Vec<SeccompRule>, seccompiler::BackendError> {
    const KIND: u64 = 0xf;
    let is = |argument, value: libc::c_int, how| {
        SeccompCondition::new(argument, SeccompCmpArgLen::Dword, how, value as u64)
    };
    let others = FAMILIES.iter().map(|family| is(0, *family, SeccompCmpOp::Ne));
    let mut rules = vec![SeccompRule::new(others.collect::<Result<_, _>>()?)?];
    if network == Network::Tcp {
        for family in [libc::AF_INET, libc::AF_INET6] {
            let is_family = || is(0, family, SeccompCmpOp::Eq);
            for kind in [libc::SOCK_DGRAM, libc::SOCK_RAW, libc::SOCK_SEQPACKET] {
                let is_kind = is(1, kind, SeccompCmpOp::MaskedEq(KIND))?;
                rules.push(SeccompRule::new(vec![is_family()?, is_kind])?);
            }
            // Others that stream are not TCP to who keeps it.
            let is_other = [0, libc::IPPROTO_TCP].map(|it| is(2, it, SeccompCmpOp::Ne));
            let all = [is_family()].into_iter().chain(is_other).collect::<Result<_, _>>()?;
            rules.push(SeccompRule::new(all)?);
        }
    }
    Ok(rules)
}

/// Writing into the input of a terminal.
fn terminal() -> Result<Vec<SeccompRule>, seccompiler::BackendError> {
    [libc::TIOCSTI, libc::TIOCLINUX]
        .into_iter()
        .map(|request| {
            let is = SeccompCmpOp::Eq;
            let argument = SeccompCmpArgLen::Dword;
            SeccompRule::new(vec![SeccompCondition::new(1, argument, is, request)?])
        })
        .collect()
}

fn wrong(error: impl std::fmt::Display) -> io::Error {
    io::Error::other(error.to_string())
}
