import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

/**
 * Runs `use` in a new folder with these files, by path, and removes the folder afterwards. A text that starts with `#!`
 * becomes an executable file.
 */
export const withFiles = async <A>(
  files: Record<string, string>,
  use: (folder: string) => Promise<A>
): Promise<A> => {
  const folder = await mkdtemp(join(tmpdir(), "turma-"))
  try {
    await Promise.all(Object.entries(files).map(async ([path, text]) => {
      const file = join(folder, path)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, text)
      if (text.startsWith("#!")) await chmod(file, 0o755)
    }))
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}
