// Bayes' theorem: a medical test, then repeated testing
const prior = 0.01;        // prevalence
const sensitivity = 0.95;  // P(+ | sick)
const specificity = 0.90;  // P(- | healthy)

const posterior = (p, positive) => {
  const sick = positive ? sensitivity : 1 - sensitivity;
  const healthy = positive ? 1 - specificity : specificity;
  return (sick * p) / (sick * p + healthy * (1 - p));
};

const pct = x => (x * 100).toFixed(2) + '%';
console.log(`P(sick | one positive test)  = ${pct(posterior(prior, true))}`);
console.log(`P(sick | one negative test)  = ${pct(posterior(prior, false))}`);

let belief = prior;
['+', '+', '-', '+', '+'].forEach((outcome, i) => {
  belief = posterior(belief, outcome === '+');
  console.log(`after test ${i + 1} (${outcome}): ${pct(belief)}`);
});

// In natural frequencies
const population = 10_000;
const sick = population * prior;
const truePositives = Math.round(sick * sensitivity);
const falsePositives = Math.round((population - sick) * (1 - specificity));
console.log(`Of ${population.toLocaleString()} people ${sick} are sick; ${truePositives + falsePositives} test positive, ${truePositives} of them rightly.`);

// Monty Hall by enumeration
let stay = 0, change = 0;
for (const car of [0, 1, 2]) {
  for (const pick of [0, 1, 2]) {
    const opened = [0, 1, 2].find(d => d !== car && d !== pick);
    const other = [0, 1, 2].find(d => d !== pick && d !== opened);
    if (pick === car) stay++;
    if (other === car) change++;
  }
}
console.log(`Monty Hall: stay wins ${stay}/9, switch wins ${change}/9`);
({ positivePredictiveValue: +posterior(prior, true).toFixed(4), montyHall: { stay, change } });
