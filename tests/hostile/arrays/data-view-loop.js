// ends: time
// attacks: reads and writes through a DataView without end
const view = new DataView(new ArrayBuffer(1024));
for (let i = 0; ; i = (i + 8) % 1024) view.setFloat64(i, view.getFloat64((i + 512) % 1024) + 1);
