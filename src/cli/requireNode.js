// JavaScript that an old Node understands, since it tells people that theirs is too old.

/** The oldest version of Node that runs Turma: those before it have no `randomUUIDv7`. */
const oldest = { major: 24, minor: 16 }

/**
 * @param {string} version as in `process.versions.node`
 * @returns {string | undefined} what to say to somebody whose Node is too old
 */
export const tooOld = (version) => {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  if (major > oldest.major || (major === oldest.major && minor >= oldest.minor)) return undefined
  const needed = `${oldest.major}.${oldest.minor}`
  return `Turma needs Node ${needed} or newer and this is ${version}: use npm start / npm test, or node_modules/.bin/node`
}

/** Ends the process in one line where this Node is too old. Whatever would not load there is imported afterwards. */
export const requireNode = () => {
  const line = tooOld(process.versions.node)
  if (line === undefined) return
  process.stderr.write(`${line}\n`)
  process.exit(1)
}
