import { assert, describe, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"

// A table belongs to one folder of src. Code elsewhere asks that folder's service, or stands in a list with a reason.

const root = resolve(import.meta.dirname, "../..")

const owners: Record<string, ReadonlyArray<string>> = {
  "membership/access": ["enrollments", "access_events"],
  identity: ["audit_log", "audit_reads", "users", "user_sessions", "student_sessions", "one_time_tokens"],
  "membership/accounts": ["sign_ups", "credential_requests"],
  assistant: [
    "agents",
    "assistant_days",
    "assistant_months",
    "conversations",
    "messages",
    "message_images",
    "answer_streams",
    "media_texts",
    "media_readings",
    "material_queue",
    "material_turns",
    "material_chunks"
  ],
  "commerce/billing": [
    "billing_accounts",
    "billing_addons",
    "billing_invoices",
    "billing_entries",
    "billing_usage",
    "billing_changes",
    "billing_events",
    "billing_checkouts",
    "billing_claims"
  ],
  "operations/backup": ["backup_runs", "restored_erasures"],
  "membership/catalog": ["deliveries", "delivery_items", "cohorts"],
  "membership/registration": ["registration_links"],
  "learning/classroom": [
    "lesson_completions",
    "course_completions",
    "completion_versions",
    "lesson_positions",
    "quiz_attempts",
    "submissions",
    "submission_media"
  ],
  "membership/clubs": ["clubs", "club_faces", "members", "invitations"],
  "membership/keys": ["club_keys", "club_key_tokens", "device_logins"],
  "membership/notifications": ["notifications", "notification_settings"],
  "membership/caps": ["address_mails", "club_mails"],
  "conversation/comments": [
    "comments",
    "comment_reactions",
    "comment_saves",
    "comment_reports",
    "comment_mentions",
    "comment_images"
  ],
  "conversation/community": ["communities", "spaces", "space_marks", "posts", "post_mentions"],
  "learning/content": [
    "courses",
    "modules",
    "lessons",
    "blocks",
    "block_images",
    "course_images",
    "course_losses"
  ],
  "learning/media": ["media_folders", "media", "media_moves", "removed_files", "club_storage", "student_storage"],
  events: ["event_outbox", "erased_students"],
  "learning/gamification": [
    "gamification",
    "gamification_rules",
    "levels",
    "point_entries",
    "point_totals",
    "point_days",
    "point_boards",
    "point_board_rows"
  ],
  "platform/idempotency": ["idempotency_keys"],
  "learning/lives": ["lives", "live_attendances", "live_announcements"],
  "platform/mail": ["mails"],
  "learning/repositories": ["repositories", "repository_files"],
  "commerce/sales": [
    "inbound_webhooks",
    "inbound_events",
    "unmapped_products",
    "product_mappings",
    "subscriptions",
    "subscription_cancellations",
    "subscription_latenesses",
    "purchases",
    "purchase_aliases"
  ],
  "membership/students": [
    "students",
    "student_erasures",
    "student_imports",
    "student_import_chunks",
    "student_import_errors"
  ],
  "conversation/support": [
    "support_desks",
    "support_conversations",
    "support_messages",
    "support_inboxes",
    "support_marks"
  ],
  webhooks: [
    "webhook_endpoints",
    "webhook_previous_secrets",
    "webhook_lanes",
    "webhook_messages",
    "webhook_deliveries",
    "webhook_attempts",
    "webhook_counts",
    "webhook_notices",
    "webhook_recoveries",
    "webhook_recovery_moves",
    "webhook_inboxes",
    "webhook_inbox_requests",
    "webhook_feeds",
    "webhook_feed_events",
    "webhook_gradings"
  ],
  "platform/jobs": ["clock_sweeps"],
  "platform/keys": ["key_holders", "key_rotations", "key_fingerprints"]
}

interface Access {
  readonly reads?: ReadonlyArray<string>
  readonly writes?: ReadonlyArray<string>
  readonly why: string
}

const foreign: Record<string, Access> = {
  "src/operations/backup/Verification.ts": {
    reads: ["webhook_endpoints"],
    why: "Whether the key opens what is sealed is tried on a restored database, beside which no service runs."
  },
  "src/operations/backup/erasures/ErasureKeeper.ts": {
    writes: ["erased_students"],
    why: "Who was removed is kept beside the backups from the row that the removal leaves, in which it is noted."
  },
  "src/operations/backup/erasures/RestoredErasures.ts": {
    reads: ["students"],
    why: "Who a restore has brought back is found while no service runs."
  },
  "src/membership/caps/MailCaps.ts": {
    reads: ["clubs"],
    why: "Where a club's day begins is asked in the statement that counts its mails."
  },
  "src/events/DataWithStudent.ts": {
    reads: ["students"],
    why: "Every event shows its student, in one statement for all that are assembled together."
  },
  "src/identity/students/StudentLocks.ts": {
    reads: ["students"],
    why: "Whoever writes about a student holds their row first, in whichever storey they are."
  },
  "src/membership/notifications/Notifications.ts": {
    reads: ["clubs", "students"],
    why:
      "Who is notified is locked, and when their mail is due, in their club's time zone, asked, where they are notified."
  },
  "src/membership/notifications/NotificationChoices.ts": {
    reads: ["clubs", "students"],
    why: "A choice holds its student's row, and moves a mail that waits to its own time."
  },
  "src/membership/notifications/Digests.ts": {
    reads: ["clubs", "students"],
    why:
      "A mail is written with its student's address and its club's name, language and day, in the statement that takes it."
  },
  "src/membership/notifications/shownNotifications.ts": {
    reads: ["agents", "students", "users"],
    why: "A notification names the person who caused it in the statement that lists it."
  },
  "src/membership/access/EnrollmentsRepo.ts": {
    reads: ["cohorts", "deliveries", "students"],
    why: "An enrollment is shown with the names of its delivery and cohort, and its student's row orders its changes."
  },
  "src/membership/access/EventEnrollments.ts": {
    reads: ["cohorts", "deliveries"],
    why: "Enrollments of many events are read with the names of their deliveries and cohorts in one statement."
  },
  "src/membership/access/GivenDeliveries.ts": {
    reads: ["deliveries", "delivery_items"],
    why: "A mail names the deliveries of many students and leads to their course, which one statement finds."
  },
  "src/membership/access/GrantsRepo.ts": {
    reads: ["students"],
    why: "A removed student is given nothing, in the statement that gives to many."
  },
  "src/membership/access/ItemAccess.ts": {
    reads: ["cohorts", "delivery_items"],
    why:
      "What a student has, and who has something, is asked in the statement that reads it, which every request of the classroom waits for."
  },
  "src/assistant/ask/streams/AnswerStreams.ts": {
    reads: ["student_sessions"],
    why: "A stream ends with the session that opened it, which is asked in the statement of every look."
  },
  "src/assistant/ask/streams/StreamSlots.ts": {
    reads: ["student_sessions"],
    why: "A place belongs to a session, which is held in the statement that takes it."
  },
  "src/assistant/ask/answers/AnswersRepo.ts": {
    reads: ["clubs", "lessons"],
    why: "An answer begins with one statement: the question, its lesson, and the language of the club."
  },
  "src/assistant/questions/AskedQuestions.ts": {
    reads: ["lessons", "students"],
    why: "Questions are listed with the names of their lessons and students, in one statement."
  },
  "src/assistant/ask/messages/CitationsJson.ts": {
    reads: ["lessons", "modules"],
    why: "Citations are read with the keys of their lessons, in the statement of their messages."
  },
  "src/assistant/ask/messages/MessageImages.ts": {
    reads: ["media"],
    why: "Whether an image is a favorite is read with the messages that show it."
  },
  "src/assistant/material/ChunksRepo.ts": {
    reads: ["blocks", "lessons", "media"],
    why: "The text of a lesson and of the files that it shows is read in one statement, as of one moment."
  },
  "src/assistant/material/documents/DocumentsRepo.ts": {
    reads: ["blocks", "media"],
    why: "The documents of a lesson that nobody has read are found by what was read of them."
  },
  "src/assistant/material/search/Material.ts": {
    reads: ["courses", "lessons", "media", "modules"],
    why: "What is found is live at that moment, whatever has been read of it."
  },
  "src/assistant/search/ClassroomSearch.ts": {
    reads: ["courses", "lessons", "media", "modules"],
    why: "What is found is live and the student's at that moment, with the titles of its lesson and course."
  },
  "src/assistant/material/changes/MaterialChanges.ts": {
    reads: ["blocks"],
    why: "The lessons that show a file are queued in the statement that finds them."
  },
  "src/assistant/material/documents/ReadingBudget.ts": {
    reads: ["clubs"],
    why: "When a club's day begins is asked where its day is counted."
  },
  "src/assistant/material/documents/DocumentReadings.ts": {
    reads: ["media"],
    why: "What became of a document is said of those that the library has, read or not."
  },
  "src/assistant/material/Transcripts.ts": {
    reads: ["media"],
    why: "A transcript is of a record that the library has, which the statement holds."
  },
  "src/membership/accounts/CredentialsEraser.ts": {
    reads: ["clubs"],
    writes: ["one_time_tokens", "student_sessions"],
    why:
      "Sign-ups and requests name the public id of the club, and what a removed person could still come in with ends in the transaction that removes them."
  },
  "src/membership/accounts/AccountsRepo.ts": {
    reads: ["clubs", "members"],
    writes: ["students", "users"],
    why: "A password is a column of the account, and whom to write to, in which language, is answered in one statement."
  },
  "src/membership/accounts/AddressSpellings.ts": {
    reads: ["clubs"],
    writes: ["students", "users"],
    why:
      "Accounts from before get the spelling of today, of administrators and students alike, and are named with their club."
  },
  "src/identity/tokens/KnownLinks.ts": {
    reads: ["clubs", "sign_ups", "students"],
    why: "The page of a link names its account, which one statement finds with the link and its club."
  },
  "src/identity/tokens/OneTimeTokens.ts": {
    reads: ["students"],
    writes: ["sign_ups"],
    why: "The account is locked before its link, in the statement that redeems the link."
  },
  "src/membership/accounts/OrphanedMailFiles.ts": {
    reads: ["student_erasures", "students"],
    why:
      "Whom a mail is about, a sign-up or a student, is asked in one statement for all files, once somebody was removed."
  },
  "src/identity/audit/AuditLog.ts": {
    reads: ["club_keys"],
    why: "An entry has the name of the key by which it was done."
  },
  "src/identity/audit/AuditRecorder.ts": {
    reads: ["students"],
    why:
      "Whether the student was removed is asked with a lock in the statement that writes the entry, so that none is in between."
  },
  "src/identity/keys/KeyStore.ts": {
    reads: ["club_key_tokens", "clubs", "members"],
    writes: ["club_keys"],
    why:
      "Key, person and right in the club are one statement, which every request of a key waits for; so is its last use."
  },
  "src/identity/people/Founders.ts": {
    reads: ["clubs"],
    why:
      "Clubs of one account share what there is of streams and scans, and who founded a club is asked for at every door."
  },
  "src/identity/rights/RightCheck.ts": {
    reads: ["club_keys", "members"],
    why: "Whether a session or key still has its right in the club is one statement, which open streams ask for again."
  },
  "src/identity/sessions/SessionStore.ts": {
    reads: ["clubs", "members", "students"],
    why: "Session, person and right in the club are one statement, which every request waits for."
  },
  "src/commerce/billing/stripe/mirror/CheckoutsRepo.ts": {
    reads: ["clubs"],
    why:
      "A subscription that came of a checkout names its club by the public id, and is that club's if the club began it."
  },
  "src/commerce/billing/stripe/mirror/MirrorRepo.ts": {
    reads: ["clubs"],
    why: "A subscription at Stripe names its club by the public id, before anybody has asked for anything in that club."
  },
  "src/membership/catalog/CatalogDeliveries.ts": {
    reads: ["clubs"],
    why: "A delivery that becomes free holds the club's row, which is what orders it with births."
  },
  "src/membership/access/FreeDeliveries.ts": {
    reads: ["students"],
    writes: ["deliveries"],
    why:
      "A free delivery is given along the club's students, who are locked in the statement that finds them, and notes how far it came."
  },
  "src/learning/classroom/ClassroomRepo.ts": {
    reads: ["block_images", "blocks", "courses", "lessons", "modules"],
    why: "What a student sees and what they did in it are one statement, which every look at the classroom waits for."
  },
  "src/learning/content/LessonOpening.ts": {
    reads: ["clubs"],
    why: "At which moment a day begins is asked where the club's days are counted."
  },
  "src/learning/classroom/OutlineRepo.ts": {
    reads: ["blocks", "course_images", "courses", "lessons", "media", "modules"],
    why: "A course with its lessons, their kinds and how long their videos play is one statement."
  },
  "src/learning/classroom/Homes.ts": {
    reads: ["blocks", "courses", "lessons", "modules"],
    why: "What is new and what is due are one statement with where to go on, which every visit begins with."
  },
  "src/learning/classroom/Positions.ts": {
    reads: ["blocks", "students"],
    why: "A position is kept in one statement with what allows it, since players keep one every few seconds."
  },
  "src/learning/classroom/CourseFinishes.ts": {
    reads: ["courses", "lessons", "modules"],
    why:
      "Who has completed all that is left of a course is found in one statement, a bounded number of students at a time."
  },
  "src/learning/classroom/Reviews.ts": {
    reads: ["blocks", "lessons", "students"],
    why: "Submissions are listed with the names of their students and lessons, in one statement."
  },
  "src/learning/classroom/LessonPreviews.ts": {
    reads: ["block_images", "blocks", "courses", "lessons", "modules"],
    why: "A preview is the statement of a student's lesson without the student."
  },
  "src/learning/classroom/StudentProgress.ts": {
    reads: ["courses", "lessons", "modules", "students"],
    why: "How far a student is, and whether the club has them, is one statement."
  },
  "src/learning/classroom/Submissions.ts": {
    reads: ["blocks", "lessons", "modules"],
    why: "A student's own submissions are read together with whether the assignment is there for them."
  },
  "src/membership/clubs/Administrators.ts": {
    reads: ["users"],
    why: "Whoever is written to is named, with the address of their account."
  },
  "src/membership/keys/DeviceLogins.ts": {
    reads: ["clubs"],
    why: "The terminal that gets a key learns which club it is of."
  },
  "src/membership/keys/KeyMaker.ts": {
    reads: ["members"],
    why: "Whom a key is to act for stays a member, and in their role, until the key is there: they are locked first."
  },
  "src/membership/keys/ClubKeys.ts": {
    reads: ["users"],
    why: "A key is listed with the name of whom it acts for."
  },
  "src/membership/clubs/MembersRepo.ts": {
    reads: ["users"],
    why: "A member is listed with the name and address of their account."
  },
  "src/conversation/comments/AssistantComments.ts": {
    reads: ["lessons"],
    why: "What the assistant is asked is read together with the lesson that it is about."
  },
  "src/conversation/authors/Authorship.ts": {
    reads: ["agents", "students", "users"],
    why: "Comments, posts and messages name whoever wrote them in the statement that lists them."
  },
  "src/conversation/community/people/ClassroomPeople.ts": {
    reads: ["comments", "members", "students", "users"],
    why:
      "Whom a student meets where is asked in the statement that finds names, which every letter of a mention waits for."
  },
  "src/conversation/authors/Mentions.ts": {
    reads: ["members", "students", "users"],
    why: "Whom a text names is asked in the statement that keeps it, and named in the one that lists it."
  },
  "src/conversation/comments/CommentNotifications.ts": {
    reads: ["lessons", "posts", "spaces"],
    why: "Whom a comment concerns, and where it stands, is found in one statement, which every reply waits for."
  },
  "src/conversation/comments/ModeratedComments.ts": {
    reads: ["lessons", "posts", "spaces", "students"],
    why: "The places of comments and who reported them are read with their names, in one statement."
  },
  "src/conversation/comments/PlaceVisibility.ts": {
    reads: ["courses", "lessons", "modules"],
    why: "A comment is seen where its lesson is, which is asked in the statement that finds it."
  },
  "src/conversation/comments/VisibleComments.ts": {
    reads: ["lessons"],
    why: "A comment is found with the key of its lesson, for its link."
  },
  "src/conversation/support/SupportAnswers.ts": {
    reads: ["clubs", "students", "users"],
    why:
      "An answer is mailed with the names of both sides, to the student's address and in the club's language, of one statement."
  },
  "src/conversation/visibility/CommentVisibility.ts": {
    reads: ["comments"],
    why: "Posts, which comments stand on, are listed with how many comments the viewer is shown, in one statement."
  },
  "src/learning/media/UnusedUpload.ts": {
    reads: ["comment_images", "message_images", "submission_media"],
    why: "What nothing shows any more is deleted in the statement that finds it, a batch at a time."
  },
  "src/events/Events.ts": {
    reads: ["students"],
    why: "An erasure holds the student's row, which is what orders it with facts that are being recorded."
  },
  "src/events/Outbox.ts": {
    reads: ["clubs"],
    why: "A fact is told with the public id of its club, in the statement that every batch begins with."
  },
  "src/learning/gamification/Awards.ts": {
    reads: ["clubs"],
    why: "A day's cap is counted in the club's time zone, in the statement that pays."
  },
  "src/learning/gamification/PointBoards.ts": {
    reads: ["clubs"],
    why: "Which day it is where, for all clubs at once, is asked in the statement that finds what to do."
  },
  "src/learning/gamification/PointsRepo.ts": {
    reads: ["students"],
    why: "Points of a student are read together with whether the club has that student."
  },
  "src/learning/gamification/RankingRepo.ts": {
    reads: ["students"],
    why: "A page of the ranking names its students, in the statement that every look at it waits for."
  },
  "src/learning/gamification/Spreads.ts": {
    reads: ["students"],
    why: "Students without points are on the lowest level: all are counted in the statement that counts those with."
  },
  "src/learning/lives/Lives.ts": {
    reads: ["students"],
    why: "Whoever joined is listed with their name."
  },
  "src/commerce/sales/mapping/Mappings.ts": {
    reads: ["deliveries"],
    why: "What was sold gives nothing of an archived delivery, which is asked in the statement of every sale."
  },
  "src/commerce/sales/mapping/UnmappedProducts.ts": {
    reads: ["deliveries"],
    why: "A mapping of an archived delivery takes nothing, which is asked in the statement that lists what none takes."
  },
  "src/commerce/sales/purchase/StudentSales.ts": {
    reads: ["students"],
    why: "What a student has bought is read together with whether the club has that student."
  },
  "src/commerce/sales/purchase/PurchasesRepo.ts": {
    reads: ["students"],
    why: "Whoever changes a sale holds its student's row first, and asks whether they were removed."
  },
  "src/membership/students/OwnAccounts.ts": {
    reads: ["clubs"],
    why: "An account is shown with the club that it belongs to, in one statement."
  },
  "src/membership/students/StudentsRepo.ts": {
    reads: ["enrollments"],
    why: "The list of students by what they have access to is one statement, bounded by the index that it follows."
  },
  "src/conversation/support/InboxPage.ts": {
    reads: ["members"],
    why: "Whoever is not of the staff any more looks after nothing, which is asked in the statement that lists."
  },
  "src/conversation/support/MessageWriter.ts": {
    reads: ["members"],
    why: "Whose inbox a message comes into is who looks after students at that moment, in the statement that asks."
  },
  "src/webhooks/engine/overview/deepestLanes.ts": {
    reads: ["clubs"],
    why: "Lanes are named with the public ids of their clubs, in the statement that finds them."
  },
  "src/webhooks/engine/overview/WebhookOverview.ts": {
    reads: ["clubs"],
    why: "Held endpoints are named with the public ids of their clubs, in the statement that finds them."
  },
  "src/conversation/support/SupportInbox.ts": {
    reads: ["members", "students", "users"],
    why: "A conversation is shown with the names of its student and of whoever looks after it."
  }
}

type Files = ReadonlyMap<string, string>

const read = (pattern: string): Files =>
  new Map(globSync(pattern, { cwd: root }).map((path) => [path, readFileSync(join(root, path), "utf8")]))

const createdIn = (migrations: Files) =>
  [...migrations.values()].flatMap((text) =>
    [...text.matchAll(/\bcreate table (?:if not exists )?(\w+)/g)].map(([, name]) => name ?? "")
  )

const withoutComments = (text: string) =>
  text.replaceAll(/\/\*[^]*?\*\//g, "").replaceAll(/(?<!:)\/\/.*$/gm, "").replaceAll(/(?<=^|\s)--.*$/gm, "")

const statement =
  /\b(?:(?<write>(?:delete\s+from|into|update|truncate(?:\s+table)?|lock\s+table)\s+(?:only\s+)?)|(?:from|join|using)\s+(?:only\s+|lateral\s+)?\(?\s*)(?<table>[a-z_]+)/gi

/** The tables that a source names in SQL. A table with a computed name counts as written. */
const uses = (text: string, tables: ReadonlyArray<string>) => {
  const source = withoutComments(text)
  const named = [...source.matchAll(statement)].map(({ groups }) => ({
    table: groups?.["table"]?.toLowerCase() ?? "",
    writes: groups?.["write"] !== undefined
  }))
  const computed = [...source.matchAll(/\bsql\(([^()]*)\)/g)]
    .flatMap(([, argument = ""]) => [...argument.matchAll(/["'](\w+)["']/g)])
    .map(([, table = ""]) => ({ table, writes: true }))
  const found = [...named, ...computed].filter(({ table }) => tables.includes(table))
  const written = new Set(found.filter(({ writes }) => writes).map(({ table }) => table))
  const onlyRead = new Set(found.map(({ table }) => table).filter((table) => !written.has(table)))
  return { reads: [...onlyRead].toSorted(), writes: [...written].toSorted() }
}

/** The tables of other folders that each file reads and writes. */
const foreignUses = (files: Files, tables: ReadonlyArray<string>) =>
  Object.fromEntries([...files].flatMap(([path, text]) => {
    const own = new Set(Object.entries(owners).flatMap(([folder, named]) =>
      path.startsWith(`src/${folder}/`) ? named : []
    ))
    const { reads, writes } = uses(text, tables.filter((table) => !own.has(table)))
    return reads.length + writes.length === 0 ? [] : [[path, { reads, writes }]]
  }))

describe("a table", () => {
  const tables = createdIn(read("migrations/*.sql"))

  it("belongs to one folder", () => {
    assert.deepStrictEqual(Object.values(owners).flat().toSorted(), tables.toSorted())
  })

  it("is used by no other folder, but for what is listed here", () => {
    const listed = Object.entries(foreign).map(([path, { reads = [], writes = [] }]) => [path, { reads, writes }])
    assert.deepStrictEqual(foreignUses(read("src/**/*.ts"), tables), Object.fromEntries(listed))
  })

  it.each([
    ["sql`select id from students where club_id = $1`", { reads: ["students"], writes: [] }],
    ["sql`select 1 from spaces s\n  left join (members m join clubs c on true) on true`", {
      reads: ["clubs", "members"],
      writes: []
    }],
    ["sql`insert into students ${sql.insert(row)}`", { reads: [], writes: ["students"] }],
    ["sql`update students set name = ${name}`", { reads: [], writes: ["students"] }],
    ["sql`delete from spaces using students where true`", { reads: ["students"], writes: [] }],
    ["sql`select 1 from ${sql(mine ? \"spaces\" : \"students\")}`", { reads: [], writes: ["students"] }]
  ])("of another folder would be found in %j", (text, expected) => {
    const path = "src/conversation/community/Planted.ts"
    assert.deepStrictEqual(foreignUses(new Map([[path, text]]), tables), { [path]: expected })
  })

  it.each([
    "sql`select 1 from spaces for update of communities`",
    "// taken from students",
    "/** Writes into students. */",
    "import { Student } from \"../students/Student.ts\"",
    "sql`select 1 -- and join students`"
  ])("is not mistaken for %j", (text) => {
    assert.deepStrictEqual(foreignUses(new Map([["src/conversation/community/Planted.ts", text]]), tables), {})
  })
})
