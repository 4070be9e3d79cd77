import { Effect } from "effect"
import { spawn } from "node:child_process"

// `cat` ends with the pipe that only we hold. A server in its start has no number yet, and one in shutdown takes a
// moment, after which its file is deleted. Anything except a number may be a group of processes, or all of them. As
// root, the database may be a link to a folder that PostgreSQL's user can reach.
const script = `
cat > /dev/null
own="$1/postgres/cluster/postmaster.pid"
for second in 1 2 3 4 5 6 7 8 9 10; do
  if read -r pid < "$own"; then
    case "$pid" in "" | [!1-9]* | *[!0-9]*) ;; *) kill -QUIT "$pid"; seen=1 ;; esac
  elif [ -n "$seen" ]; then break; fi
  sleep 1
done
link=$(readlink "$1/postgres") && rm -rf "$link"
rm -rf "$1"
`

/**
 * Ends the server in a folder and removes the folder if this process dies before the scope closes, however it dies. A
 * shell beside us waits for that. The programs of PostgreSQL need a shell, too.
 */
export const cleanUpIfWeDie = (folder: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      // In a group of its own: what ends ours by a key or a signal must leave it alone.
      const shell = spawn("/bin/sh", ["-c", script, "sh", folder], {
        detached: true,
        cwd: "/",
        env: { PATH: "/usr/bin:/bin" },
        stdio: ["pipe", "ignore", "ignore"]
      })
      // Without a shell the server does not start either, and says so.
      shell.on("error", () => undefined)
      shell.unref()
      return shell
    }),
    (shell) => Effect.sync(() => shell.kill("SIGKILL"))
  )
