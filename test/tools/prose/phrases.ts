/** Words that make readers read twice, and what to write in place of them. */
export interface Phrase {
  /** Consecutive words. `…` stands for any words between, and `^` for the beginning of a sentence. */
  readonly phrase: string
  readonly instead: string
  /** Longer phrases that contain this one and are accepted. */
  readonly unless?: ReadonlyArray<string>
}

/** Programs. Sentences must not call them "who". */
const programs = [
  "agent",
  "browser",
  "client",
  "command",
  "database",
  "dispatcher",
  "endpoint",
  "instance",
  "job",
  "listener",
  "machine",
  "model",
  "pod",
  "process",
  "processes",
  "program",
  "proxy",
  "receiver",
  "script",
  "server",
  "service",
  "supervisor",
  "tool",
  "worker"
]

const ofPrograms = programs.flatMap((program): ReadonlyArray<Phrase> => [
  { phrase: `${program} who`, instead: "that: a program is not a person" },
  ...(program === "processes" ? [] : [{ phrase: `${program}s who`, instead: "that: a program is not a person" }])
])

/** The phrases that no sentence may have. */
export const phrases: ReadonlyArray<Phrase> = [
  // The subject is a thing of the code or the field.
  { phrase: "^what", instead: "the thing by its name as the subject" },
  { phrase: "^who", instead: "the role as the subject: the administrator, the student" },
  { phrase: "^whose", instead: "the role as the subject: the administrator, the student" },
  { phrase: "whoever", instead: "the role: the administrator, the student, the caller" },
  { phrase: "whichever", instead: "the … that, or any" },
  { phrase: "whom", instead: "the role: the administrator, the student, the caller" },
  { phrase: "of who", instead: "the role: the administrator, the student, the caller" },
  { phrase: "for who", instead: "the role: the administrator, the student, the caller" },
  { phrase: "to who", instead: "the role: the administrator, the student, the caller" },
  { phrase: "is who", instead: "the role: the administrator, the student, the caller" },
  { phrase: "are who", instead: "the role: the administrator, the student, the caller" },
  { phrase: "is what", instead: "the thing by its name" },
  { phrase: "are what", instead: "the thing by its name" },
  { phrase: "that which", instead: "the thing by its name" },
  { phrase: "those which", instead: "the things by their name" },
  { phrase: "is that of", instead: "the thing by its name again" },
  { phrase: "are those of", instead: "the things by their name again" },
  ...ofPrograms,
  // Say what is so. Do not say what is not.
  { phrase: "no longer than", instead: "at most" },
  { phrase: "no later than", instead: "by, or at the latest" },
  { phrase: "no less than", instead: "at least" },
  { phrase: "no fewer than", instead: "at least" },
  { phrase: "nothing but", instead: "only" },
  {
    phrase: "is no",
    instead: "is not a",
    unless: ["there is no", "is no longer"]
  },
  {
    phrase: "are no",
    instead: "are not",
    unless: ["there are no", "are no longer"]
  },
  // Words that take a second reading.
  { phrase: "of which", instead: "a new sentence" },
  { phrase: "told of", instead: "learns, gets, or is notified" },
  { phrase: "tells of", instead: "shows, reports, or has" },
  { phrase: "as such", instead: "the thing by its name", unless: ["as such a"] },
  { phrase: "no more", instead: "no longer, or at most" },
  { phrase: "but for", instead: "except", unless: ["but for longer"] },
  { phrase: "so that … so that", instead: "two sentences" },
  { phrase: "to be seen", instead: "visible, or shown" },
  { phrase: "is to be", instead: "must be, or will be" },
  { phrase: "are to be", instead: "must be, or will be" },
  { phrase: "none", instead: "no … by its name" },
  { phrase: "and else", instead: "otherwise" },
  { phrase: "is of", instead: "belongs to, or has" },
  { phrase: "are of", instead: "belong to, or have" },
  { phrase: "became of", instead: "the result of, or what happened to" },
  { phrase: "becomes of", instead: "the result of, or what happens to" },
  { phrase: "where there is", instead: "if there is" },
  { phrase: "where there are", instead: "if there are" },
  { phrase: "where there was", instead: "if there was" },
  { phrase: "where nothing", instead: "if nothing" },
  { phrase: "where no", instead: "if no" },
  { phrase: "the like", instead: "the others by their names" },
  { phrase: "in vain", instead: "without success" },
  { phrase: "lest", instead: "so that … not" },
  { phrase: "hence", instead: "so" },
  { phrase: "whence", instead: "from which place" },
  { phrase: "thereof", instead: "its, or of it" },
  { phrase: "therein", instead: "in it" }
]
