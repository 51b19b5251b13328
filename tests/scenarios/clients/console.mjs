// The requests that the console shows for an ask, or for the record of a run, as JSON. The arguments: what it is of, the
// address, and whether there is a secret.
const { ofAsk, ofRun } = await import(new URL("../../../components/console/site/code.js", import.meta.url));
const [asked, base, hasSecret] = process.argv.slice(2);
const given = JSON.parse(asked);
console.log(JSON.stringify((given.task ? ofRun : ofAsk)(given, base, hasSecret === "true")));
