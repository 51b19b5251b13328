//! The list of machines. What is not in it is no machine, and each has a name of its own.

/// A machine of the list; only the list makes one.
pub trait Listed: sealed::Sealed {
    /// Its name in checkpoints, which is its folder's: by it no machine reads another's state.
    const NAME: &'static str;
}

mod sealed {
    /// Implemented by the list alone.
    pub trait Sealed {}
}

macro_rules! machines {
    ($($folder:ident::$state:ident),+ $(,)?) => {
        $(
            impl sealed::Sealed for crate::$folder::$state {}
            impl Listed for crate::$folder::$state {
                const NAME: &'static str = stringify!($folder);
            }
        )+

        const _: () = {
            $(
                #[expect(dead_code, reason = "two machines of one name do not compile")]
                fn $folder() {}
            )+
        };
    };
}

machines! {
    ask::Ask,
    consult::Consult,
}
