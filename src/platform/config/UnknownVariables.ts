/** A variable that nothing reads, and the one that was probably meant; undefined where none is near. */
export interface UnknownVariable {
  readonly variable: string
  readonly meant: string | undefined
}

// What others set, however near to ours: shells, systems and what runs containers; packages, builds and CI; databases.
const others = [
  /^(?:npm|PG|OTEL|KUBERNETES|DOCKER|COMPOSE|PODMAN|NODE|NVM|VITEST|LC|XDG|DBUS|SSH|GPG|GIT|GITHUB|GITLAB|CI|RUNNER)_/,
  /^(?:PG[A-Z]+|POSTGRES(?:QL)?_\w+|LOGLEVEL|HOSTS?|PORTS|WEBHOOK_(?:URL|SECRET|TOKEN))$/,
  // Links of Docker and services of Kubernetes: REDIS_PORT_6379_TCP_ADDR, WEBHOOK_SERVICE_HOST.
  /_SERVICE_(?:HOST|PORT(?:_\w+)?)$/,
  /_PORT(?:_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)?$/,
  /_ENV_\w+$/
]

/** What begins so is meant for us. */
const ours = /^(?:TURMA|WEBHOOK|RATE_LIMIT|STORAGE_QUOTA|APP_SECRET_KEY)_/

/** How far a name may be from the one that was meant. */
const reach = (length: number) => length < 4 ? 0 : length < 9 ? 1 : length < 16 ? 2 : 3

/** Letters that are inserted, left out, replaced, or exchanged with their neighbour between two texts. */
export const editDistance = (one: string, other: string): number => {
  const rows = [Array.from({ length: other.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number) => rows[row]?.[column] ?? Infinity
  for (let row = 1; row <= one.length; row++) {
    const cells = [row]
    rows.push(cells)
    for (let column = 1; column <= other.length; column++) {
      const [letter, opposite] = [one[row - 1], other[column - 1]]
      const isSwapped = letter === other[column - 2] && one[row - 2] === opposite
      cells.push(Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (letter === opposite ? 0 : 1),
        isSwapped ? at(row - 2, column - 2) + 1 : Infinity
      ))
    }
  }
  return at(one.length, other.length)
}

const nearest = (variable: string, known: ReadonlyArray<string>): string | undefined => {
  const most = reach(variable.length)
  const near = known
    .filter(({ length }) => Math.abs(length - variable.length) <= most)
    .map((name) => ({ name, distance: editDistance(variable, name) }))
    .filter(({ distance, name }) => distance <= Math.min(most, reach(name.length)))
  return near.toSorted((one, other) => one.distance - other.distance)[0]?.name
}

/** The variable without the end that would make a file of it, where that is one of these: not each is read from a file. */
const ofFile = (variable: string, known: ReadonlyArray<string>) => known.find((name) => variable === `${name}_FILE`)

/** Variables of an environment that look like one of `known` and are none, in their order. Takes names alone. */
export const unknownVariables = (
  variables: ReadonlyArray<string>,
  known: ReadonlyArray<string>
): ReadonlyArray<UnknownVariable> => {
  const names = new Set(known)
  return variables.toSorted().flatMap((variable) => {
    if (names.has(variable) || others.some((pattern) => pattern.test(variable))) return []
    const upper = variable.includes("_") ? variable.toUpperCase() : variable
    const meant = ofFile(variable, known) ?? (names.has(upper) ? upper : nearest(variable, known))
    return meant === undefined && !ours.test(variable) ? [] : [{ variable, meant }]
  })
}

/** One line for people, without a value. */
export const sayUnknown = ({ meant, variable }: UnknownVariable): string => {
  if (meant === undefined) return `${variable} is no variable of Turma: nothing reads it`
  return variable === `${meant}_FILE`
    ? `${variable} is no variable of Turma: only secrets are read from files, so set ${meant}`
    : `${variable} is no variable of Turma: is ${meant} meant?`
}
