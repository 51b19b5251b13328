// ends: time or memory or value
// attacks: 20,000 rejections handled only later: quadratic for a tracker that searches a list
// value: "done"
const late = [];
for (let i = 0; i < 20000; i++) late.push(Promise.reject(i));
for (const promise of late) promise.catch(() => {});
"done";
