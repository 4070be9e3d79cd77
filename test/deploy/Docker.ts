import { blocks, guide } from "../guides/Guides.ts"

/** The words of the command in the guide to images that begins so. */
const commandOf = (begin: string): ReadonlyArray<string> => {
  const lines = blocks(guide("deployment"), "sh").join("\n").replaceAll("\\\n", " ").split("\n")
  const found = lines.find((line) => line.startsWith(begin))
  if (found === undefined) throw new Error(`The guide has no command ${begin}`)
  return found.trim().split(/\s+/)
}

/** How the guide builds the image. */
export const dockerBuild = commandOf("docker build")

/** How it runs it. */
export const dockerRun = commandOf("docker run")

const published = dockerRun.indexOf("-p")

/** Where the port of the container is published. */
export const publishedAt = dockerRun[published + 1]

/** What it runs it with, where its port is one of the machine without that. */
export const runOptions: ReadonlyArray<string> = [
  ...dockerRun.slice(2, published),
  ...dockerRun.slice(published + 2, -1)
]
