#![no_main]
sylve_fuzz::position!("connect_four");
