console.table([{a:1,b:'x'},{a:2,c:true}]);console.table([[1,2],[3,4]]);console.table([1,'a',null,{x:1}]);console.table({p:{v:1},q:{v:2}});console.table(new Map([['k',1],['o',{z:1}]]));console.table(new Set([1,2]));console.table(5);console.table([{a:1,b:2}],['b']);console.table([]);console.table({a:1,b:[1,2]});console.table([{a:{n:1},f(){},d:new Date(0)}]);console.table([{name:'日本'}]);console.table([{a:undefined}]);console.table([['x']],['0']);console.table({});console.table([1,2],['a']);console.table("abc");console.table([{a:"it's"}]);
console.table([{ a: [1, 2, 3, 4, 5], b: { x: 1, y: 2, z: 3 }, c: { x: 1 } }]);
console.dir('text');
console.dirxml(1, 'two');
console.assert(false, 'x %d', 5);
console.clear();
