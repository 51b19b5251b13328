// URL and URLSearchParams
const url = new URL('https://user:pa%20ss@shop.example.com:8443/a/b/../items/42?q=blue+shirt&size=M&size=L#reviews');
for (const key of ['href', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'origin', 'pathname', 'search', 'hash']) {
  console.log(`${key.padEnd(9)} ${url[key]}`);
}

const params = url.searchParams;
console.log(params.get('q'), params.getAll('size'), params.get('none'), params.has('size'), params.size);
params.append('page', '2');
params.delete('size');
params.set('q', 'red & green');
console.log(url.search);
console.log([...params], Object.fromEntries(params));
params.sort();
console.log(params.toString());

url.port = '443';
url.hash = '';
url.username = url.password = '';
url.pathname = '/new path/ü';
console.log(String(url));

const resolve = (path, base = 'https://example.org/docs/guide/index.html?x=1') => new URL(path, base).href;
for (const path of ['intro.html', '../api/', '/root', '//cdn.example.net/lib.js', '?page=3', '#top', 'http://other.test']) {
  console.log(`${path.padEnd(25)} ${resolve(path)}`);
}

const built = new URLSearchParams({ name: 'Ana María', tags: 'a,b', sign: '100%', plus: '1+1' });
console.log(built.toString(), new URLSearchParams('?a=1&b=%20x&a=2').getAll('a'), new URLSearchParams([['k', 'v'], ['k', 'w']]).toString());
for (const [k, v] of built) if (k !== 'name') console.log(k, '=', v);

const links = ['https://example.com', 'not a url', 'mailto:me@example.com', 'ftp://ftp.example.com/x', '/relative', 'HTTPS://EXAMPLE.com:443/A?b#c'];
for (const link of links) {
  try {
    const u = new URL(link);
    console.log('valid  ', u.protocol, u.hostname || '-', u.pathname, u.href);
  } catch (e) {
    console.log('invalid', link, e.name);
  }
}
const strip = u => { const x = new URL(u); [...x.searchParams.keys()].filter(k => k.startsWith('utm_')).forEach(k => x.searchParams.delete(k)); return x.href; };
console.log(strip('https://news.example.com/story?id=7&utm_source=feed&utm_medium=rss'));
console.log(URL.canParse('https://ok.example'), URL.canParse('nope'), JSON.stringify({ url: new URL('https://a.example/x') }));
new URL('https://sub.domain.example.co.uk/path').hostname.split('.').slice(-3).join('.');
