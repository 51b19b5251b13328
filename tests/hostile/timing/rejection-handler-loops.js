// ends: time
// attacks: a handler of rejections, called with whatever ended the handler before it
const again = () => { for (;;); };
Promise.reject(1).catch(again).catch(again).finally(again);
