import { relative } from "node:path"
import { fileURLToPath } from "node:url"
import { BaseSequencer, type TestSpecification } from "vitest/node"
import { longFiles } from "./LongFiles.ts"

const tests = fileURLToPath(new URL("..", import.meta.url))

/** Runs the long files first, in their order. A worker that got one of them last would run alone at the end. */
export class LongestFirst extends BaseSequencer {
  override sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const place = ({ moduleId }: TestSpecification) => {
      const index = longFiles.indexOf(relative(tests, moduleId))
      return index === -1 ? longFiles.length : index
    }
    return Promise.resolve(files.toSorted((one, other) => place(one) - place(other)))
  }
}
