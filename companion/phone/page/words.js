// The words of this page, as the table sends them in the phone's language. The scripts that every page shares look for
// these names, so this is a classic script and comes before them.
"use strict";

const CATALOGUE = { en: {}, de: {}, ja: {} };
const GAMES = {};
const PLACES = {};
const COLOURS = {};

/** The table checks its views; this page need not. */
const KINDS = { learn() {} };
