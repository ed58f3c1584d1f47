//! The option grammars of programs that only read.
//!
//! A program is here with the options that keep it reading; an option that is not here asks, and
//! so does every abbreviation of a long one. From the manuals of GNU coreutils 9, findutils 4,
//! grep 3, diffutils 3, ripgrep 14 and file 5.

/// What the words mean that are no options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operands {
    /// Paths.
    Paths,
    /// One path, or none.
    OnePath,
    /// Text.
    Text,
    /// A pattern, then paths; only paths where an option gave the pattern or asks for none.
    PatternThenPaths,
    /// Only words that begin with `+`.
    PlusOnly,
    /// None.
    Nothing,
}

/// The options of one program.
#[derive(Debug)]
pub(crate) struct Grammar {
    /// Its names.
    pub(crate) names: &'static str,
    /// Short options alone. `#`: a number as an option, such as `-5`.
    pub(crate) flags: &'static str,
    /// Short options with a value.
    pub(crate) valued: &'static str,
    /// Long options: `all` alone, `lines=` with a value, `color=?` with or without one.
    pub(crate) long: &'static str,
    /// The other words.
    pub(crate) operands: Operands,
}

use Operands::{Nothing, OnePath, Paths, PatternThenPaths, PlusOnly, Text};

/// A row of the table.
const fn row(
    names: &'static str,
    flags: &'static str,
    valued: &'static str,
    long: &'static str,
    operands: Operands,
) -> Grammar {
    Grammar { names, flags, valued, long, operands }
}

/// Every program that only reads, but `find`, `sed`, `test` and `cd`, which have no option grammar.
pub(crate) const GRAMMARS: &[Grammar] = &[
    row(
        "ls dir vdir",
        "aAbBcCdfFgGhHiklLmnNopqQrRsStuUvxXZ1",
        "ITw",
        "all almost-all author escape block-size= ignore-backups color=? directory dired \
         classify=? file-type format= full-time group-directories-first no-group human-readable si \
         dereference-command-line hide= hyperlink=? indicator-style= inode ignore= kibibytes \
         dereference literal numeric-uid-gid hide-control-chars show-control-chars quote-name \
         quoting-style= reverse recursive size sort= time= time-style= tabsize= width= context zero \
         help version",
        Paths,
    ),
    row(
        "cat",
        "AbeEnstTuv",
        "",
        "show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting help \
         version",
        Paths,
    ),
    row(
        "head tail",
        "qvz#",
        "cn",
        "bytes= lines= quiet silent verbose zero-terminated help version",
        Paths,
    ),
    row("wc", "cmlLw", "", "bytes chars lines max-line-length words total= help version", Paths),
    row("pwd", "LP", "", "logical physical help version", Nothing),
    row("true false whoami nproc arch tty", "", "", "all ignore= help version", Nothing),
    row("id", "aGgnruz", "", "group groups name real user zero help version", Text),
    row(
        "uname",
        "amnoprsvi",
        "",
        "all kernel-name nodename kernel-release kernel-version machine processor \
         hardware-platform operating-system help version",
        Nothing,
    ),
    row("basename", "az", "s", "multiple suffix= zero help version", Text),
    row("dirname", "z", "", "zero help version", Text),
    row(
        "realpath readlink",
        "efmnqsvzLP",
        "",
        "canonicalize canonicalize-existing canonicalize-missing logical physical quiet strip zero \
         no-symlinks no-newline silent verbose relative-to= relative-base= help version",
        Paths,
    ),
    row("which", "as", "", "all help version", Text),
    row("seq", "w", "fs", "format= separator= equal-width help version", Text),
    row(
        "grep egrep fgrep rgrep",
        "aEFGPHhiInLlnoqrRsTUvVwxyZzbc#",
        "ABCDdem",
        "extended-regexp fixed-strings basic-regexp perl-regexp regexp= ignore-case \
         no-ignore-case word-regexp line-regexp null-data no-messages invert-match max-count= \
         byte-offset line-number line-buffered with-filename no-filename label= only-matching \
         quiet silent binary-files= text directories= devices= recursive dereference-recursive \
         include= exclude= exclude-dir= files-without-match files-with-matches count initial-tab \
         null before-context= after-context= context= group-separator= no-group-separator color=? \
         colour=? binary help version",
        PatternThenPaths,
    ),
    row(
        "rg",
        "ailncsSvwxUPFNHIoqpuL0bV",
        "ABCegtTmMdErj",
        "after-context= before-context= context= regexp= glob= iglob= type= type-not= type-list \
         max-count= max-columns= max-depth= encoding= replace= threads= case-sensitive ignore-case \
         smart-case column no-column count count-matches files files-with-matches \
         files-without-match fixed-strings follow heading no-heading hidden no-hidden \
         invert-match json line-number no-line-number line-regexp word-regexp max-filesize= \
         multiline multiline-dotall no-filename with-filename no-ignore no-ignore-vcs \
         no-ignore-parent no-messages only-matching passthru pcre2 pretty quiet sort= sortr= \
         stats text trim null unrestricted vimgrep color= colors= no-config debug glob-case-insensitive \
         one-file-system binary crlf block-buffered line-buffered help version",
        PatternThenPaths,
    ),
    row(
        "sort",
        "bdfgiMhnRrVcCmsuz",
        "ktS",
        "ignore-leading-blanks dictionary-order ignore-case general-numeric-sort \
         ignore-nonprinting month-sort human-numeric-sort numeric-sort random-sort reverse sort= \
         version-sort batch-size= check=? key= merge stable buffer-size= field-separator= \
         parallel= unique zero-terminated help version",
        Paths,
    ),
    row(
        "uniq",
        "cdDiuz",
        "fsw",
        "count repeated all-repeated=? skip-fields= group=? ignore-case skip-chars= unique \
         zero-terminated check-chars= help version",
        OnePath,
    ),
    row(
        "diff",
        "qscunyeptTriEbZwBaNd",
        "CUWxFIL",
        "normal brief report-identical-files context=? unified=? ed rcs side-by-side width= \
         left-column suppress-common-lines show-c-function show-function-line= label= expand-tabs \
         initial-tab tabsize= recursive no-dereference new-file unidirectional-new-file \
         ignore-file-name-case exclude= ignore-case ignore-tab-expansion ignore-trailing-space \
         ignore-space-change ignore-all-space ignore-blank-lines ignore-matching-lines= text \
         strip-trailing-cr minimal horizon-lines= speed-large-files color=? help version",
        Paths,
    ),
    row(
        "cmp",
        "bls",
        "in",
        "print-bytes verbose silent quiet bytes= ignore-initial= help version",
        Paths,
    ),
    row(
        "comm",
        "123z",
        "",
        "check-order nocheck-order output-delimiter= total zero-terminated help version",
        Paths,
    ),
    row(
        "stat",
        "Lft",
        "c",
        "dereference file-system cached= format= printf= terse help version",
        Paths,
    ),
    row(
        "file",
        "bikLhNrp0",
        "eF",
        "brief mime mime-type mime-encoding keep-going dereference \
         no-dereference no-pad raw separator= exclude= extension help version",
        Paths,
    ),
    row(
        "du",
        "0abcDhHklLmPsSx",
        "Bdt",
        "null all apparent-size block-size= bytes total dereference-args max-depth= \
         human-readable inodes count-links dereference no-dereference separate-dirs si summarize \
         threshold= time=? time-style= exclude= one-file-system help version",
        Paths,
    ),
    row(
        "df",
        "ahHiklPT",
        "Btx",
        "all block-size= human-readable si inodes local no-sync output=? portability total type= \
         print-type exclude-type= help version",
        Paths,
    ),
    row(
        "date",
        "uRI",
        "d",
        "date= iso-8601=? rfc-3339= rfc-email utc universal help version",
        PlusOnly,
    ),
    row(
        "cut",
        "nsz",
        "bcdf",
        "bytes= characters= delimiter= fields= complement only-delimited \
         output-delimiter= zero-terminated help version",
        Paths,
    ),
    row("tr", "cCdst", "", "complement delete squeeze-repeats truncate-set1 help version", Text),
    row(
        "nl",
        "p",
        "bdfhilnsvw",
        "body-numbering= number-format= number-width= help version",
        Paths,
    ),
    row("tac", "br", "s", "before regex separator= help version", Paths),
    row("rev", "", "", "help version", Paths),
    row("paste", "sz", "d", "delimiters= serial zero-terminated help version", Paths),
    row("fold", "bs", "w", "bytes spaces width= help version", Paths),
    row("column", "tnx", "sc", "table separator= output-separator= help version", Paths),
    row(
        "md5sum sha1sum sha256sum sha512sum b2sum cksum",
        "btz",
        "a",
        "binary tag text zero algorithm= help version",
        Paths,
    ),
    row("base64", "di", "w", "decode ignore-garbage wrap= help version", Paths),
    row("hexdump xxd od", "bcCdovxpu", "nsljAtNw", "help version", OnePath),
];
