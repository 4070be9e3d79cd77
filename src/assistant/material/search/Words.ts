/** The text without case and accents, like `fold` in the database. */
export const fold = (text: string): string => text.normalize("NFKD").replaceAll(/[\u0300-\u036f]/g, "").toLowerCase()

/** The words of a text, folded, in order: runs of letters and digits. */
export const wordsOf = (text: string): ReadonlyArray<string> => fold(text).match(/[\p{L}\p{N}]+/gu) ?? []

// Frequent words of questions about any subject. Folded. Articles, prepositions and other small words are PostgreSQL's
// stop words of each language. Here are those that PostgreSQL only knows with an accent.
const ignored =
  new Set(`nao voce voces sao ja so tambem ate estao sera serao esta la ai e entao alem atras apos voce porque pq q vc vcs pra pro pras pros
  qual quais como quando onde quanto quantos quanta quantas quem cade que por
  posso pode podem podemos poderia devo deve devem devemos deveria preciso precisa precisam precisamos quero quer querem queria
  gostaria consigo consegue conseguir faco faz fazem fazer fazendo feito usar uso usa usam usado usada usamos ter tem temos tenho haver existe existem ha
  melhor melhores maior menor bom boa bons boas forma formas maneira maneiras jeito modo tipo tipos coisa coisas vez vezes
  significa significam serve servem funciona funcionam acontece acontecem explica explicar explique diz dizer fala falar falou
  saber sabe sabem diferenca diferencas exemplo exemplos importante importancia necessario motivo razao ser vai vou vamos ir
  oi ola bom dia tarde noite professor professora gente pessoal alguem ajuda ajudar obrigado obrigada favor duvida pergunta
  aula aulas curso cursos licao modulo material
  what which who whom whose when where why how much many
  can could should would will shall may might must need needs want wants like do does did done doing make makes made making
  use uses used using get gets got good better best way ways kind kinds type types thing things time times one
  mean means meaning work works happen happens explain explains tell tells say says said know knows
  difference differences example examples important importance reason reasons able
  hi hello hey teacher anyone somebody someone please thanks thank question help helps
  lesson lessons course courses module material class classes`.split(/\s+/))

/** The most distinct words of a question that are searched for. A text with more is not a question. */
const mostWords = 40

/**
 * In UTF-16 units. A longer run of letters and marks is not a word, and the database refuses to search for an extremely
 * long one.
 */
const longestWord = 64

// Words typed without accents get back the accented endings, by which the Portuguese stemmer recognizes them. Words in -ão
// have another stem in the plural, so both are searched for.
const endings: ReadonlyArray<readonly [RegExp, ReadonlyArray<string>]> = [
  [/c(?:ao|oes)$/, ["ção", "ções"]],
  [/(?:ao|oes)$/, ["ão", "ões"]],
  [/avel$/, ["ável"]],
  [/ivel$/, ["ível"]],
  [/encia$/, ["ência"]],
  [/ancia$/, ["ância"]]
]

const accented = (word: string) => {
  const [plain, written] = endings.find(([plain]) => plain.test(word)) ?? [/$/, []]
  return written.map((ending) => word.replace(plain, ending))
}

/** The spellings of a word to search for: as it was typed in lower case, and without and with accents. */
const spellings = (typed: string) => {
  const folded = fold(typed)
  const all = [typed, folded, ...accented(folded)]
  return [...new Set(all.flatMap((spelling) => [spelling, fold(spelling)]))]
}

/**
 * The words that name a question's subject, each once and in its spellings, without those that every question has and
 * those of one letter. They consist of letters, digits and the marks on letters only.
 */
export const queryWords = (question: string): ReadonlyArray<ReadonlyArray<string>> => {
  const typed = question.normalize("NFC").toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  const words = new Map(typed.map((word) => [fold(word), word]))
  const namesSubject = ([word, typed]: readonly [string, string]) =>
    word.length > 1 && Math.max(word.length, typed.length) <= longestWord && !ignored.has(word)
  return [...words].filter(namesSubject).slice(0, mostWords)
    .map(([, word]) => spellings(word))
}
