import { blocks, guide } from "../guides/Guides.ts"

/** The words of the guide's command about images with this beginning. */
const commandOf = (begin: string): ReadonlyArray<string> => {
  const lines = blocks(guide("deployment"), "sh").join("\n").replaceAll("\\\n", " ").split("\n")
  const found = lines.find((line) => line.startsWith(begin))
  if (found === undefined) throw new Error(`The guide has no command ${begin}`)
  return found.trim().split(/\s+/)
}

/** The guide's command that builds the image. */
export const dockerBuild = commandOf("docker build")

/** The guide's command that runs the image. */
export const dockerRun = commandOf("docker run")

const published = dockerRun.indexOf("-p")

/** The address at which the container's port is published. */
export const publishedAt = dockerRun[published + 1]

/** The guide's options of `docker run` without the published port. The tests use the machine's network instead. */
export const runOptions: ReadonlyArray<string> = [
  ...dockerRun.slice(2, published),
  ...dockerRun.slice(published + 2, -1)
]
