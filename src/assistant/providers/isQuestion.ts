import { wordsOf } from "../material/search/Words.ts"

// The first words of questions, folded, and the polite words that may come before them.
const openings =
  `como, qual, quais, quando, onde, aonde, quem, quanto, quanta, quantos, quantas, cade, porque, por que, pq, o que,
  oque, que, a que, para que, pra que, em que, de que, com que, com qual, com quais, em qual, de onde, por quanto, sera que,
  alguem sabe, alguem pode, posso, podemos, pode, e possivel, tem como, da para, da pra,
  what, which, who, whom, whose, when, where, why, how, can i, can you, can we, can someone, could, should, would, do i,
  do you, do we, does, did, is it, is there, is this, is that, is the, are there, are these, are the, am i, will i, will it,
  may i, has anyone, anyone know, does anyone`.split(",").map((opening) => `${opening.trim()} `)

const politeness =
  /^(?:(?:oi|ola|bom dia|boa tarde|boa noite|gente|pessoal|professora?|prof|hi|hello|hey|everyone|e|and|mas|but) )+/

/** True if a text asks something: it has a question mark, or begins as questions do in Portuguese or English. */
export const isQuestion = (text: string): boolean => {
  if (text.includes("?")) return true
  const beginning = `${wordsOf(text).join(" ")} `.replace(politeness, "")
  return openings.some((opening) => beginning.startsWith(opening))
}
