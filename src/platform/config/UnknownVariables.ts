import { editDistance } from "../text/EditDistance.ts"

/** A variable that no code reads, and the likely correct name; undefined if no name is near. */
export interface UnknownVariable {
  readonly variable: string
  readonly meant: string | undefined
}

// Variables of other programs, however near to ours: shells, systems and runners of containers; packages, builds and
// CI; databases.
const others = [
  /^(?:npm|PG|OTEL|KUBERNETES|DOCKER|COMPOSE|PODMAN|NODE|NVM|VITEST|LC|XDG|DBUS|SSH|GPG|GIT|GITHUB|GITLAB|CI|RUNNER)_/,
  /^(?:PG[A-Z]+|POSTGRES(?:QL)?_\w+|LOGLEVEL|HOSTS?|PORTS|WEBHOOK_(?:URL|SECRET|TOKEN))$/,
  // Links of Docker and services of Kubernetes: REDIS_PORT_6379_TCP_ADDR, WEBHOOK_SERVICE_HOST.
  /_SERVICE_(?:HOST|PORT(?:_\w+)?)$/,
  /_PORT(?:_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)?$/,
  /_ENV_\w+$/
]

/** A name with this beginning is for Turma. */
const ours = /^(?:TURMA|WEBHOOK|RATE_LIMIT|STORAGE_QUOTA|APP_SECRET_KEY)_/

/** The most letters in which a name may differ from the correct one. */
const reach = (length: number) => length < 4 ? 0 : length < 9 ? 1 : length < 16 ? 2 : 3

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

/** Variables of an environment that look like one of `known` and are unknown, in their order. Takes names alone. */
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
