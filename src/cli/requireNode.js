// JavaScript that an old Node understands, since it is what tells somebody that theirs is one.

/** The oldest major version of Node that runs Turma. */
const oldest = 24

/**
 * @param {string} version as in `process.versions.node`
 * @returns {string | undefined} what to say to somebody whose Node is too old
 */
export const tooOld = (version) =>
  Number(version.split(".")[0]) >= oldest
    ? undefined
    : `Turma needs Node ${oldest} or newer and this is ${version}: use npm start / npm test, or node_modules/.bin/node`

/** Ends the process in one line where this Node is too old. Whatever would not load there is imported afterwards. */
export const requireNode = () => {
  const line = tooOld(process.versions.node)
  if (line === undefined) return
  process.stderr.write(`${line}\n`)
  process.exit(1)
}
