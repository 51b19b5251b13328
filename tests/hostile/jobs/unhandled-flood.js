// ends: memory or time
// attacks: rejections that nobody handles: whoever tracks them keeps them
// timeout: 10000
for (let i = 0; ; i++) Promise.reject(new Error("nobody hears " + i));
