// The requests that the console shows for an ask, as JSON. The arguments: the ask, the address, and whether there is a
// secret.
const { ofAsk } = await import(new URL("../../../components/console/site/code.js", import.meta.url));
const [asked, base, hasSecret] = process.argv.slice(2);
console.log(JSON.stringify(ofAsk(JSON.parse(asked), base, hasSecret === "true")));
