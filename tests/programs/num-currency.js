// Currency and percent styles
const prices = [0, 0.5, 9.99, 1234.5, -42, 1000000];
const show = (label, ...texts) => console.log(label.padEnd(12), texts.join('  '));

for (const currency of ['USD', 'EUR', 'GBP', 'JPY', 'INR', 'CHF']) {
  show(currency, ...prices.map(p => p.toLocaleString('en-US', { style: 'currency', currency })));
}
show('de EUR', ...prices.map(p => p.toLocaleString('de-DE', { style: 'currency', currency: 'EUR' })));
show('fr EUR', ...prices.map(p => p.toLocaleString('fr-FR', { style: 'currency', currency: 'EUR' })));
show('gb GBP', ...prices.map(p => p.toLocaleString('en-GB', { style: 'currency', currency: 'GBP' })));
show('in INR', ...prices.map(p => p.toLocaleString('en-IN', { style: 'currency', currency: 'INR' })));
show('jp JPY', ...prices.map(p => p.toLocaleString('ja-JP', { style: 'currency', currency: 'JPY' })));

const amount = 98765.432;
const usd = options => new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', ...options }).format(amount);
show('whole', usd({ maximumFractionDigits: 0 }), usd({ minimumFractionDigits: 0, maximumFractionDigits: 1 }));
show('display', usd({ currencyDisplay: 'code' }), usd({ currencyDisplay: 'name' }));
show('accounting', new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', currencySign: 'accounting' }).format(-1234.5));
show('compact', usd({ notation: 'compact' }), usd({ notation: 'compact', maximumFractionDigits: 2 }));

const share = 0.4567;
show('percent', share.toLocaleString('en-US', { style: 'percent' }),
  share.toLocaleString('en-US', { style: 'percent', minimumFractionDigits: 1 }),
  share.toLocaleString('de-DE', { style: 'percent', maximumFractionDigits: 2 }),
  share.toLocaleString('fr-FR', { style: 'percent' }),
  (-0.052).toLocaleString('en-US', { style: 'percent', maximumFractionDigits: 1 }),
  (12).toLocaleString('en-US', { style: 'percent' }));

try {
  (5).toLocaleString('en-US', { style: 'currency' });
} catch (e) {
  show('error', e.name);
}
