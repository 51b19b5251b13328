// ends: memory or time
// attacks: WeakRefs, whose targets live until the end of the job
// timeout: 10000
const refs = [];
for (let i = 0; ; i++) refs.push(new WeakRef({ i }));
