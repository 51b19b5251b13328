// ends: value
// attacks: the host's time zone says where it is
// value: [0,0]
[new Date(0).getTimezoneOffset(), new Date(2024, 6, 1).getTimezoneOffset()];
