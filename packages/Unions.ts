// TypeScript 7 writes the members of an inferred union in a random order. In the contract these are groups and
// endpoints, and packages of the same sources must be the same bytes.

const member = /(?:import\("[^"]+"\)\.)?(?:HttpApi(?:Endpoint|Group)\.)?HttpApi(?:Endpoint|Group)</g

const separator = " | "

const nextMember = (text: string, from: number) => {
  member.lastIndex = from
  return member.exec(text)
}

const token = /"(?:[^"\\]|\\.)*"|=>|[<>]/g

/** Where the type arguments end that begin here, after their `<`. */
const endOfArguments = (text: string, from: number): number => {
  let depth = 1
  token.lastIndex = from
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    depth += found[0] === "<" ? 1 : found[0] === ">" ? -1 : 0
    if (depth === 0) return found.index
  }
  throw new Error("Type arguments of a declaration do not end")
}

/** A declaration file with the groups and endpoints of each union in the order of their texts. */
export const sortUnions = (text: string): string => {
  let sorted = ""
  let at = 0
  let members: Array<string> = []
  const endUnion = () => {
    sorted += members.toSorted().join(separator)
    members = []
  }
  for (let found = nextMember(text, at); found !== null; found = nextMember(text, at)) {
    const before = text.slice(at, found.index)
    if (before !== separator || members.length === 0) {
      endUnion()
      sorted += before
    }
    const open = found.index + found[0].length
    const close = endOfArguments(text, open)
    members.push(`${found[0]}${sortUnions(text.slice(open, close))}>`)
    at = close + 1
  }
  endUnion()
  return sorted + text.slice(at)
}
