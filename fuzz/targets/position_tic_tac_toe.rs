#![no_main]
sylve_fuzz::position!("tic_tac_toe");
