/** The checkout page's style: one column that fits a small phone, the code as large as it allows. */
import { createHash } from 'node:crypto'
import { tokenStyles } from '../pages/tokens.ts'

export const checkoutStyles = `${tokenStyles}
body { display: flex; flex-direction: column; align-items: center; min-height: 100vh; padding: var(--space-4); }
.sandbox {
  width: 100%; max-width: 27rem; margin-bottom: var(--space-3); padding: var(--space-2) var(--space-3); text-align: center;
  font-size: var(--text-small); border-radius: var(--radius); background: var(--waiting-surface); color: var(--waiting-ink);
}
.merchant { font-weight: 600; margin-bottom: var(--space-3); text-align: center; }
main {
  width: 100%; max-width: 27rem; background: var(--surface); border: 1px solid var(--line);
  border-radius: var(--radius); overflow: hidden;
}
.status {
  display: flex; align-items: center; gap: var(--space-3); padding: var(--space-3) var(--space-4);
  background: var(--waiting-surface); color: var(--waiting-ink);
}
.status svg { flex: none; width: 1.75rem; height: 1.75rem; }
.status h1 { font-size: var(--text-large); line-height: 1.25; }
.ready { background: var(--ready-surface); color: var(--ready-ink); }
.busy, .asking { background: var(--busy-surface); color: var(--busy-ink); }
.done { background: var(--done-surface); color: var(--done-ink); }
.stopped { background: var(--stopped-surface); color: var(--stopped-ink); }
.body { display: grid; gap: var(--space-4); padding: var(--space-4); }
.now, .more { display: flex; flex-direction: column; gap: var(--space-4); min-width: 0; }
.amount { font-size: var(--text-amount); font-weight: 700; line-height: 1.15; font-variant-numeric: tabular-nums; }
.amount small { font-size: 0.55em; font-weight: 600; color: var(--muted); }
.long { font-size: var(--text-amount-long); }
.struck { color: var(--muted); text-decoration: line-through; }
.over { margin-bottom: calc(-1 * var(--space-4)); }
.label { color: var(--muted); font-size: var(--text-small); }
.code {
  font: 700 var(--text-code)/1.2 var(--font-code); user-select: all; text-align: center;
  border: 2px solid var(--ready-ink); border-radius: var(--radius); padding: var(--space-3) 0;
}
.code .line { display: block; }
.code .line span { display: inline-block; margin: 0 0.25em; }
.qr { display: block; width: 13rem; max-width: 100%; margin: 0 auto; border-radius: var(--space-2); }
/* On white its quiet zone is a margin already. */
@media not (prefers-color-scheme: dark) { .qr { margin: -0.5rem auto; } }
.qr { forced-color-adjust: none; }
.barcode { display: block; width: 100%; height: 4.5rem; border-radius: var(--space-1); forced-color-adjust: none; }
.marks { display: flex; flex-direction: column; gap: var(--space-4); }
.actions { display: flex; gap: var(--space-2); }
.actions button { padding-inline: var(--space-2); }
@media (scripting: none) { .scripted { display: none; } }
[hidden] { display: none !important; }
[data-offline] .refresh { display: none; }
#offline { width: 100%; max-width: 27rem; margin-bottom: var(--space-3); }
.payment { display: flex; flex-direction: column; gap: var(--space-3); }
#wallet:empty { display: none; }
#wallet:not(:empty) { display: flex; flex-direction: column; gap: var(--space-2); }
#wallet .told { border-radius: var(--space-2); padding: var(--space-2) var(--space-3); }
#wallet .told { background: var(--busy-surface); color: var(--busy-ink); }
#wallet .told.problem { background: var(--stopped-surface); color: var(--stopped-ink); }
#wallet button { display: flex; align-items: center; justify-content: center; gap: var(--space-2); }
#wallet img { width: 1.5rem; height: 1.5rem; border-radius: var(--space-1); }
/* A phone's wallet is another app of it; a computer's is in the browser, or on a phone. */
.here { display: none; flex-direction: column; gap: var(--space-2); }
@media (hover: none) and (pointer: coarse) {
  .here { display: flex; }
  .elsewhere .button { display: none; }
}
summary { cursor: pointer; padding: var(--space-2) 0; color: var(--accent); font-weight: 600; }
summary:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
details .qr { width: 18rem; }
details p { margin-bottom: var(--space-3); }
details .button { margin-top: var(--space-3); }
.time { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline; gap: 0 var(--space-4); }
.time strong { font-variant-numeric: tabular-nums; }
.time .soon { color: var(--stopped-ink); }
.warning {
  background: var(--waiting-surface); color: var(--waiting-ink); border-radius: var(--space-2);
  padding: var(--space-2) var(--space-3); font-size: var(--text-small);
}
h2 { font-size: var(--text); margin-bottom: var(--space-2); }
ol { padding-left: 1.4em; }
ul { padding-left: 1.2em; margin: 0; }
li + li { margin-top: var(--space-1); }
#places { display: flex; flex-direction: column; gap: var(--space-4); }
.places { list-style: none; padding: 0; border-top: 1px solid var(--line); }
.places li { margin: 0; padding: var(--space-2) 0; border-bottom: 1px solid var(--line); }
.places span { display: block; }
.places + .label { margin-top: var(--space-2); }
dl { border-top: 1px solid var(--line); }
dl > div { padding: var(--space-2) 0; border-bottom: 1px solid var(--line); }
dt { color: var(--muted); font-size: var(--text-small); }
.button, button {
  display: block; width: 100%; padding: var(--space-3) var(--space-4); border: 0; border-radius: var(--space-2);
  background: var(--accent); color: var(--on-accent); font: 600 var(--text)/1.5 var(--font-text);
  text-align: center; text-decoration: none; cursor: pointer;
}
.quiet { background: none; color: var(--accent); border: 1px solid var(--field); }
.refresh span { display: block; }
.refresh a { display: inline-block; padding: var(--space-1) var(--space-2); }
.refresh { color: var(--muted); font-size: var(--text-small); text-align: center; }
form { display: flex; flex-direction: column; gap: var(--space-2); }
form label { font-weight: 600; }
input {
  width: 100%; padding: var(--space-3); border: 1px solid var(--field); border-radius: var(--space-2);
  background: var(--surface); color: var(--ink); font: var(--text)/1.5 var(--font-code);
}
nav { display: flex; gap: var(--space-2); margin-top: var(--space-4); }
nav a, nav strong { padding: var(--space-2); font-size: var(--text-small); }
@media (min-width: 40rem) {
  body { padding-top: var(--space-6); }
  .body { padding: var(--space-5); }
  .status { padding: var(--space-4) var(--space-5); }
}
@media (min-width: 56rem) {
  .wide { max-width: 54rem; }
  .wide .body { grid-template-columns: 1fr 1fr; gap: var(--space-6); }
}
@page { margin: 5mm; }
@media print {
  body { background: #fff; color: #000; padding: 0; }
  .refresh, nav, .button, .actions, .warning, #offline, .time, #wallet, .here, .elsewhere { display: none; }
  main { max-width: none; border: 0; }
  .body { display: block; }
  .now > *, .more > * { margin-bottom: var(--space-2); }
  .status, .body { padding: 0 0 var(--space-2); }
  .merchant { margin-bottom: var(--space-2); }
  .amount { font-size: 1.5rem; white-space: nowrap; }
  .amount.long { font-size: 1rem; }
  .code { border-color: #000; font-size: 1.5rem; padding: var(--space-2) 0; }
  .marks { gap: var(--space-2); }
  .qr { width: 9rem; margin: 0 auto; }
  /* As wide as the paper of a till allows: a module is then 0.3 mm on 58 mm, which scanners still read. */
  .barcode { max-width: 10cm; margin: 0 auto; }
  .code, .qr, .barcode, dl > div, li { break-inside: avoid; }
}
`

/** The one style that the page's policy lets through. */
export const checkoutStylesHash = `'sha256-${createHash('sha256').update(checkoutStyles).digest('base64')}'`
