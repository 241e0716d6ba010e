// How texts are written on every page. A page brings them (TEXTS), their translations (CATALOGUE), and the names of
// games, places and colours.
"use strict";

/** As Object.hasOwn, which old tablets do not have: these pages are written in ES2019. */
function hasOwn(of, key) {
  return Object.prototype.hasOwnProperty.call(of, key);
}

/** Marks a text for the catalogues (`make words`). */
const N_ = (text) => text;

/** A page adds its texts by key. */
const TEXTS = {};

const LANGUAGES = { en: "English", de: "Deutsch", ja: "日本語" };

/** The current language. */
let lang = "en";

/** Returns a text with its facts filled in; braces inside a fact stay as they are. */
function say(key, facts = {}) {
  const text = hasOwn(CATALOGUE[lang], TEXTS[key]) ? CATALOGUE[lang][TEXTS[key]] : TEXTS[key];
  return text.replace(/\{(\w+)\}/g, (whole, name) => (hasOwn(facts, name) ? facts[name] : whole));
}

/** Returns the text for a count, which has its own key for one. */
function count(key, number, facts = {}) {
  return say(number === 1 ? key + "_one" : key, facts);
}

/** Returns the name of a game, colour or place; a place of an owner's board has only its name on the wire. */
function word(table, name) {
  if (hasOwn(table, name)) return table[name][Object.keys(LANGUAGES).indexOf(lang)];
  return name.split("_").join(" ");
}

/** Joins words with commas. */
function listed(words) {
  return words.filter(Boolean).join(lang === "ja" ? "、" : ", ");
}

/** Returns a number as people write it, with a true minus sign. */
function figure(number) {
  return new Intl.NumberFormat(lang).format(number).replace("-", "−");
}
