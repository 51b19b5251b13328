// Weighted mean, geometric and harmonic mean, trimmed mean, z-scores
const grades = [
  { course: 'Calculus', grade: 3.7, credits: 4 },
  { course: 'Physics', grade: 3.3, credits: 4 },
  { course: 'History', grade: 4.0, credits: 3 },
  { course: 'Programming', grade: 3.9, credits: 5 },
  { course: 'Spanish', grade: 2.7, credits: 2 },
];

const totalCredits = grades.reduce((s, { credits }) => s + credits, 0);
const gpa = grades.reduce((s, { grade, credits }) => s + grade * credits, 0) / totalCredits;
console.log('Weighted GPA:', gpa.toFixed(3), 'over', totalCredits, 'credits');

const growth = [1.08, 1.12, 0.95, 1.2, 1.03];
const geometric = Math.pow(growth.reduce((p, x) => p * x, 1), 1 / growth.length);
console.log('Average growth factor:', geometric.toFixed(5));

const speeds = [40, 60, 120];
const harmonic = speeds.length / speeds.reduce((s, v) => s + 1 / v, 0);
console.log('Average speed over equal distances:', harmonic.toFixed(2), 'km/h');

const judges = [9.5, 9.0, 9.2, 7.1, 9.4, 10, 9.3];
const trim = (xs, share) => {
  const cut = Math.floor(xs.length * share);
  return [...xs].sort((a, b) => a - b).slice(cut, xs.length - cut);
};
const avg = xs => xs.reduce((a, b) => a + b) / xs.length;
console.log('Judges: plain %s, trimmed %s', avg(judges).toFixed(3), avg(trim(judges, 0.2)).toFixed(3));

const m = avg(judges);
const sd = Math.sqrt(avg(judges.map(x => (x - m) ** 2)));
const z = judges.map(x => Number(((x - m) / sd).toFixed(2)));
console.log('z-scores:', z);
const odd = judges.filter((_, i) => Math.abs(z[i]) > 2);
console.log(odd.length ? `Unusual score: ${odd}` : 'No unusual score');

const skew = avg(judges.map(x => ((x - m) / sd) ** 3));
const kurtosis = avg(judges.map(x => ((x - m) / sd) ** 4)) - 3;
console.log(`skewness=${skew.toFixed(3)} excess kurtosis=${kurtosis.toFixed(3)}`);
