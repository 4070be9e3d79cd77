// Made by `npm run sdk:types` from the OpenAPI document, do not edit: 630c5a4042d014f83d01c86a48739aa3b24e789f9998317f71b985669b8a6169

import type { Call, List, Stream } from "./Call.ts"

/** Every operation of the contract by its group and its name, as the reference has them. */
export interface Resources {
  readonly health: {
    /** Ask whether the process runs: `GET /v1/health` */
    readonly live: Call<"health.live">
    /** Ask whether it can serve: `GET /v1/health/ready` */
    readonly ready: Call<"health.ready">
  }
  readonly adminAuth: {
    /** Sign up as an administrator: `POST /v1/auth/admin/sign-up` */
    readonly signUp: Call<"adminAuth.signUp">
    /** Confirm the address of an administrator: `POST /v1/auth/admin/confirm` */
    readonly confirm: Call<"adminAuth.confirm">
    /** Mail the confirmation link of an administrator again: `POST /v1/auth/admin/confirm/resend` */
    readonly resendConfirmation: Call<"adminAuth.resendConfirmation">
    /** Sign in as an administrator with a password: `POST /v1/auth/admin/sign-in` */
    readonly signIn: Call<"adminAuth.signIn">
    /** Mail an administrator a link to sign in with: `POST /v1/auth/admin/access` */
    readonly access: Call<"adminAuth.access">
    /** Sign in as an administrator with a mailed code: `POST /v1/auth/admin/exchange` */
    readonly exchange: Call<"adminAuth.exchange">
    /** Mail an administrator a link to choose a new password: `POST /v1/auth/admin/password/forgot` */
    readonly forgotPassword: Call<"adminAuth.forgotPassword">
    /** Choose a new password as an administrator, by a mailed link: `POST /v1/auth/admin/password/reset` */
    readonly resetPassword: Call<"adminAuth.resetPassword">
  }
  readonly studentAuth: {
    /** Sign up as a student: `POST /v1/auth/sign-up` */
    readonly signUp: Call<"studentAuth.signUp">
    /** Confirm the address of a student: `POST /v1/auth/confirm` */
    readonly confirm: Call<"studentAuth.confirm">
    /** Mail the confirmation link of a student again: `POST /v1/auth/confirm/resend` */
    readonly resendConfirmation: Call<"studentAuth.resendConfirmation">
    /** Sign in as a student with a password: `POST /v1/auth/sign-in` */
    readonly signIn: Call<"studentAuth.signIn">
    /** Mail a student a link to sign in with: `POST /v1/auth/access` */
    readonly access: Call<"studentAuth.access">
    /** Sign in as a student with a mailed code: `POST /v1/auth/exchange` */
    readonly exchange: Call<"studentAuth.exchange">
    /** Mail a student a link to choose a new password: `POST /v1/auth/password/forgot` */
    readonly forgotPassword: Call<"studentAuth.forgotPassword">
    /** Choose a new password as a student, by a mailed link: `POST /v1/auth/password/reset` */
    readonly resetPassword: Call<"studentAuth.resetPassword">
  }
  readonly passwords: {
    /** Change an administrator's known password: `POST /v1/auth/admin/password/change` */
    readonly changeAdminPassword: Call<"passwords.changeAdminPassword">
    /** Change a student's known password: `POST /v1/auth/password/change` */
    readonly changeStudentPassword: Call<"passwords.changeStudentPassword">
  }
  readonly sessions: {
    /** Read the session and whose it is: `GET /v1/auth/session` */
    readonly current: Call<"sessions.current">
    /** End the session: `DELETE /v1/auth/session` */
    readonly end: Call<"sessions.end">
    /** List one's own sessions: `GET /v1/auth/sessions` */
    readonly list: List<"sessions.list">
    /** End every other session: `DELETE /v1/auth/sessions` */
    readonly endOthers: Call<"sessions.endOthers">
    /** End one of one's own sessions: `DELETE /v1/auth/sessions/{id}` */
    readonly endOne: Call<"sessions.endOne">
  }
  readonly account: {
    /** Read one's own account and its clubs: `GET /v1/me` */
    readonly me: Call<"account.me">
    /** Change one's own name: `PATCH /v1/me` */
    readonly updateMe: Call<"account.updateMe">
    /** Found a club: `POST /v1/clubs` */
    readonly createClub: Call<"account.createClub">
    /** Accept an invitation to a club: `POST /v1/invitations/accept` */
    readonly acceptInvitation: Call<"account.acceptInvitation">
  }
  readonly clubs: {
    /** List the members: `GET /v1/clubs/{clubId}/members` */
    readonly listMembers: List<"clubs.listMembers">
    /** Change a member's role: `PATCH /v1/clubs/{clubId}/members/{userId}` */
    readonly updateMember: Call<"clubs.updateMember">
    /** Remove a member: `DELETE /v1/clubs/{clubId}/members/{userId}` */
    readonly removeMember: Call<"clubs.removeMember">
    /** List the open invitations: `GET /v1/clubs/{clubId}/members/invitations` */
    readonly listInvitations: List<"clubs.listInvitations">
    /** Invite somebody to become a member: `POST /v1/clubs/{clubId}/members/invitations` */
    readonly invite: Call<"clubs.invite">
    /** Withdraw an invitation: `DELETE /v1/clubs/{clubId}/members/invitations/{invitationId}` */
    readonly withdrawInvitation: Call<"clubs.withdrawInvitation">
    /** Read the club: `GET /v1/clubs/{clubId}` */
    readonly get: Call<"clubs.get">
    /** Change the club: `PATCH /v1/clubs/{clubId}` */
    readonly update: Call<"clubs.update">
  }
  readonly keys: {
    /** List the keys: `GET /v1/clubs/{clubId}/keys` */
    readonly list: List<"keys.list">
    /** Make a key: `POST /v1/clubs/{clubId}/keys` */
    readonly create: Call<"keys.create">
    /** Read a key: `GET /v1/clubs/{clubId}/keys/{keyId}` */
    readonly get: Call<"keys.get">
    /** Change a key's name, networks or end: `PATCH /v1/clubs/{clubId}/keys/{keyId}` */
    readonly update: Call<"keys.update">
    /** Revoke a key: `DELETE /v1/clubs/{clubId}/keys/{keyId}` */
    readonly revoke: Call<"keys.revoke">
    /** Give a key a new token: `POST /v1/clubs/{clubId}/keys/{keyId}/rotate` */
    readonly rotate: Call<"keys.rotate">
    /** Take over a key: `POST /v1/clubs/{clubId}/keys/{keyId}/adopt` */
    readonly adopt: Call<"keys.adopt">
    /** Let a terminal in: `POST /v1/clubs/{clubId}/keys/devices` */
    readonly approveDevice: Call<"keys.approveDevice">
  }
  readonly ownKey: {
    /** Read the key that asks: `GET /v1/key` */
    readonly get: Call<"ownKey.get">
    /** Revoke the key that asks: `DELETE /v1/key` */
    readonly revoke: Call<"ownKey.revoke">
  }
  readonly devices: {
    /** Begin to let a terminal in: `POST /v1/auth/device` */
    readonly begin: Call<"devices.begin">
    /** Fetch a terminal's key: `POST /v1/auth/device/token` */
    readonly redeem: Call<"devices.redeem">
  }
  readonly auditLog: {
    /** List what was done in the club: `GET /v1/clubs/{clubId}/audit-log` */
    readonly list: List<"auditLog.list">
    /** List how often keys have read personal data: `GET /v1/clubs/{clubId}/audit-log/reads` */
    readonly reads: List<"auditLog.reads">
  }
  readonly gamification: {
    /** Read the rules and the ladder: `GET /v1/clubs/{clubId}/gamification` */
    readonly read: Call<"gamification.read">
    /** Change the rules or switch gamification: `PATCH /v1/clubs/{clubId}/gamification` */
    readonly update: Call<"gamification.update">
    /** Replace the whole ladder: `PUT /v1/clubs/{clubId}/gamification/levels` */
    readonly replaceLevels: Call<"gamification.replaceLevels">
    /** See how students are spread over the levels: `GET /v1/clubs/{clubId}/gamification/levels/spread` */
    readonly spread: Call<"gamification.spread">
    /** Rank the students by their points: `GET /v1/clubs/{clubId}/gamification/ranking` */
    readonly ranking: List<"gamification.ranking">
    /** Read a student's points and what made them: `GET /v1/clubs/{clubId}/students/{studentId}/points` */
    readonly statement: List<"gamification.statement">
    /** Give a student points or take them: `POST /v1/clubs/{clubId}/students/{studentId}/points` */
    readonly adjust: Call<"gamification.adjust">
    /** Read one's own points and level: `GET /v1/clubs/{clubId}/classroom/gamification` */
    readonly standing: Call<"gamification.standing">
    /** See the ranking and one's own place in it: `GET /v1/clubs/{clubId}/classroom/ranking` */
    readonly classroomRanking: List<"gamification.classroomRanking">
  }
  readonly community: {
    /** Read the community and its spaces: `GET /v1/clubs/{clubId}/community` */
    readonly read: Call<"community.read">
    /** Change, publish or unpublish the community: `PATCH /v1/clubs/{clubId}/community` */
    readonly update: Call<"community.update">
    /** Add a space: `POST /v1/clubs/{clubId}/community/spaces` */
    readonly createSpace: Call<"community.createSpace">
    /** Put the spaces in another order: `PUT /v1/clubs/{clubId}/community/spaces/order` */
    readonly orderSpaces: Call<"community.orderSpaces">
    /** Change a space: `PATCH /v1/clubs/{clubId}/community/spaces/{spaceId}` */
    readonly updateSpace: Call<"community.updateSpace">
    /** Archive a space: `DELETE /v1/clubs/{clubId}/community/spaces/{spaceId}` */
    readonly archiveSpace: Call<"community.archiveSpace">
  }
  readonly classroomCommunity: {
    /** Read the community and the spaces that one sees: `GET /v1/clubs/{clubId}/classroom/community` */
    readonly read: Call<"classroomCommunity.read">
  }
  readonly classroomPosts: {
    /** List the posts of a space that one sees: `GET /v1/clubs/{clubId}/classroom/community/spaces/{spaceId}/posts` */
    readonly list: List<"classroomPosts.list">
    /** Post in a space as a student: `POST /v1/clubs/{clubId}/classroom/community/spaces/{spaceId}/posts` */
    readonly create: Call<"classroomPosts.create">
    /** Read a post that one sees: `GET /v1/clubs/{clubId}/classroom/community/posts/{postId}` */
    readonly get: Call<"classroomPosts.get">
    /** Change the words of one's own post: `PATCH /v1/clubs/{clubId}/classroom/community/posts/{postId}` */
    readonly update: Call<"classroomPosts.update">
    /** Delete one's own post: `DELETE /v1/clubs/{clubId}/classroom/community/posts/{postId}` */
    readonly remove: Call<"classroomPosts.remove">
  }
  readonly posts: {
    /** List the posts of a space: `GET /v1/clubs/{clubId}/community/spaces/{spaceId}/posts` */
    readonly list: List<"posts.list">
    /** Post in a space: `POST /v1/clubs/{clubId}/community/spaces/{spaceId}/posts` */
    readonly create: Call<"posts.create">
    /** Read a post: `GET /v1/clubs/{clubId}/community/posts/{postId}` */
    readonly get: Call<"posts.get">
    /** Change a post: `PATCH /v1/clubs/{clubId}/community/posts/{postId}` */
    readonly update: Call<"posts.update">
    /** Delete a post: `DELETE /v1/clubs/{clubId}/community/posts/{postId}` */
    readonly remove: Call<"posts.remove">
  }
  readonly postComments: {
    /** List the comments on a post: `GET /v1/clubs/{clubId}/community/posts/{postId}/comments` */
    readonly list: List<"postComments.list">
    /** Comment on a post, or reply to a comment there: `POST /v1/clubs/{clubId}/community/posts/{postId}/comments` */
    readonly create: Call<"postComments.create">
  }
  readonly comments: {
    /** Look through the comments: `GET /v1/clubs/{clubId}/comments` */
    readonly list: List<"comments.list">
    /** Look through the comments with their places and reports: `GET /v1/clubs/{clubId}/comments/moderation` */
    readonly moderation: List<"comments.moderation">
    /** Read a comment: `GET /v1/clubs/{clubId}/comments/{commentId}` */
    readonly get: Call<"comments.get">
    /** Moderate a comment, or change one's own words: `PATCH /v1/clubs/{clubId}/comments/{commentId}` */
    readonly update: Call<"comments.update">
    /** Delete a comment; the replies stay: `DELETE /v1/clubs/{clubId}/comments/{commentId}` */
    readonly remove: Call<"comments.remove">
    /** Read on in the replies to a comment: `GET /v1/clubs/{clubId}/comments/{commentId}/replies` */
    readonly replies: List<"comments.replies">
    /** Answer a comment: `POST /v1/clubs/{clubId}/comments/{commentId}/replies` */
    readonly reply: Call<"comments.reply">
  }
  readonly classroomComments: {
    /** List the comments on a lesson: `GET /v1/clubs/{clubId}/classroom/lessons/{publicId}/comments` */
    readonly list: List<"classroomComments.list">
    /** Comment on a lesson, or reply to a comment there: `POST /v1/clubs/{clubId}/classroom/lessons/{publicId}/comments` */
    readonly create: Call<"classroomComments.create">
    /** List the comments on a post that one sees: `GET /v1/clubs/{clubId}/classroom/community/posts/{postId}/comments` */
    readonly listOfPost: List<"classroomComments.listOfPost">
    /** Comment on a post, or reply to a comment there, as a student: `POST /v1/clubs/{clubId}/classroom/community/posts/{postId}/comments` */
    readonly createOnPost: Call<"classroomComments.createOnPost">
    /** List the comments that one saved: `GET /v1/clubs/{clubId}/classroom/comments/saved` */
    readonly saved: List<"classroomComments.saved">
    /** List the replies to a comment: `GET /v1/clubs/{clubId}/classroom/comments/{commentId}/replies` */
    readonly replies: List<"classroomComments.replies">
    /** Change the words of one's own comment: `PATCH /v1/clubs/{clubId}/classroom/comments/{commentId}` */
    readonly edit: Call<"classroomComments.edit">
    /** Delete one's own comment; the replies stay: `DELETE /v1/clubs/{clubId}/classroom/comments/{commentId}` */
    readonly remove: Call<"classroomComments.remove">
    /** Give a comment an emoji: `PUT /v1/clubs/{clubId}/classroom/comments/{commentId}/reactions/{emoji}` */
    readonly react: Call<"classroomComments.react">
    /** Take an emoji back: `DELETE /v1/clubs/{clubId}/classroom/comments/{commentId}/reactions/{emoji}` */
    readonly unreact: Call<"classroomComments.unreact">
    /** Save a comment for oneself: `PUT /v1/clubs/{clubId}/classroom/comments/{commentId}/saved` */
    readonly save: Call<"classroomComments.save">
    /** Save a comment no longer: `DELETE /v1/clubs/{clubId}/classroom/comments/{commentId}/saved` */
    readonly unsave: Call<"classroomComments.unsave">
    /** Tell the staff of a comment: `POST /v1/clubs/{clubId}/classroom/comments/{commentId}/report` */
    readonly report: Call<"classroomComments.report">
  }
  readonly lives: {
    /** Announce a live: `POST /v1/clubs/{clubId}/lives` */
    readonly create: Call<"lives.create">
    /** List the lives, the latest start first: `GET /v1/clubs/{clubId}/lives` */
    readonly list: List<"lives.list">
    /** Change what is announced of a live: `PATCH /v1/clubs/{clubId}/lives/{liveId}` */
    readonly update: Call<"lives.update">
    /** Delete a live: `DELETE /v1/clubs/{clubId}/lives/{liveId}` */
    readonly remove: Call<"lives.remove">
    /** Read a live: `GET /v1/clubs/{clubId}/lives/{liveId}` */
    readonly get: Call<"lives.get">
    /** Let students in: `POST /v1/clubs/{clubId}/lives/{liveId}/open` */
    readonly open: Call<"lives.open">
    /** End a live: `POST /v1/clubs/{clubId}/lives/{liveId}/close` */
    readonly close: Call<"lives.close">
    /** List who joined, in the order in which they came: `GET /v1/clubs/{clubId}/lives/{liveId}/attendances` */
    readonly attendances: List<"lives.attendances">
  }
  readonly classroomLives: {
    /** List one's own lives, the latest start first: `GET /v1/clubs/{clubId}/classroom/lives` */
    readonly list: List<"classroomLives.list">
    /** Join a live: `POST /v1/clubs/{clubId}/classroom/lives/{liveId}/join` */
    readonly join: Call<"classroomLives.join">
  }
  readonly deliveries: {
    /** List the deliveries: `GET /v1/clubs/{clubId}/deliveries` */
    readonly list: List<"deliveries.list">
    /** Create a delivery: `POST /v1/clubs/{clubId}/deliveries` */
    readonly create: Call<"deliveries.create">
    /** Read a delivery: `GET /v1/clubs/{clubId}/deliveries/{deliveryId}` */
    readonly get: Call<"deliveries.get">
    /** Change, archive or bring back a delivery: `PATCH /v1/clubs/{clubId}/deliveries/{deliveryId}` */
    readonly update: Call<"deliveries.update">
    /** Delete a delivery that nothing refers to, with its cohorts: `DELETE /v1/clubs/{clubId}/deliveries/{deliveryId}` */
    readonly remove: Call<"deliveries.remove">
    /** List the cohorts of a delivery: `GET /v1/clubs/{clubId}/deliveries/{deliveryId}/cohorts` */
    readonly listCohorts: List<"deliveries.listCohorts">
    /** Create a cohort: `POST /v1/clubs/{clubId}/deliveries/{deliveryId}/cohorts` */
    readonly createCohort: Call<"deliveries.createCohort">
    /** Read a cohort: `GET /v1/clubs/{clubId}/deliveries/{deliveryId}/cohorts/{cohortId}` */
    readonly getCohort: Call<"deliveries.getCohort">
    /** Change a cohort: `PATCH /v1/clubs/{clubId}/deliveries/{deliveryId}/cohorts/{cohortId}` */
    readonly updateCohort: Call<"deliveries.updateCohort">
    /** Delete a cohort that nothing refers to: `DELETE /v1/clubs/{clubId}/deliveries/{deliveryId}/cohorts/{cohortId}` */
    readonly removeCohort: Call<"deliveries.removeCohort">
  }
  readonly registrationLinks: {
    /** List the registration links: `GET /v1/clubs/{clubId}/registration-links` */
    readonly list: List<"registrationLinks.list">
    /** Create a registration link: `POST /v1/clubs/{clubId}/registration-links` */
    readonly create: Call<"registrationLinks.create">
    /** Read a registration link: `GET /v1/clubs/{clubId}/registration-links/{linkId}` */
    readonly get: Call<"registrationLinks.get">
    /** Change how often and how long a registration link can be used: `PATCH /v1/clubs/{clubId}/registration-links/{linkId}` */
    readonly update: Call<"registrationLinks.update">
    /** Delete a registration link: `DELETE /v1/clubs/{clubId}/registration-links/{linkId}` */
    readonly remove: Call<"registrationLinks.remove">
  }
  readonly registrations: {
    /** Get a delivery by the code of a registration link: `POST /v1/clubs/{clubId}/classroom/registrations` */
    readonly register: Call<"registrations.register">
  }
  readonly courses: {
    /** List the courses in their order: `GET /v1/clubs/{clubId}/courses` */
    readonly list: List<"courses.list">
    /** Create a course: `POST /v1/clubs/{clubId}/courses` */
    readonly create: Call<"courses.create">
    /** Put the courses in another order: `PUT /v1/clubs/{clubId}/courses/order` */
    readonly order: Call<"courses.order">
    /** Read a course: `GET /v1/clubs/{clubId}/courses/{courseId}` */
    readonly get: Call<"courses.get">
    /** Change a course: `PATCH /v1/clubs/{clubId}/courses/{courseId}` */
    readonly update: Call<"courses.update">
    /** Delete a course with its modules and lessons: `DELETE /v1/clubs/{clubId}/courses/{courseId}` */
    readonly remove: Call<"courses.remove">
    /** Read a course with its modules and lessons: `GET /v1/clubs/{clubId}/courses/{courseId}/outline` */
    readonly outline: Call<"courses.outline">
    /** List the modules of a course in their order: `GET /v1/clubs/{clubId}/courses/{courseId}/modules` */
    readonly listModules: List<"courses.listModules">
    /** Add a module: `POST /v1/clubs/{clubId}/courses/{courseId}/modules` */
    readonly createModule: Call<"courses.createModule">
    /** Put the modules of a course in another order: `PUT /v1/clubs/{clubId}/courses/{courseId}/modules/order` */
    readonly orderModules: Call<"courses.orderModules">
    /** Read a module: `GET /v1/clubs/{clubId}/modules/{moduleId}` */
    readonly getModule: Call<"courses.getModule">
    /** Change a module: `PATCH /v1/clubs/{clubId}/modules/{moduleId}` */
    readonly updateModule: Call<"courses.updateModule">
    /** Delete a module with its lessons: `DELETE /v1/clubs/{clubId}/modules/{moduleId}` */
    readonly removeModule: Call<"courses.removeModule">
  }
  readonly lessons: {
    /** List the lessons of a module in their order: `GET /v1/clubs/{clubId}/modules/{moduleId}/lessons` */
    readonly list: List<"lessons.list">
    /** Add a lesson: `POST /v1/clubs/{clubId}/modules/{moduleId}/lessons` */
    readonly create: Call<"lessons.create">
    /** Put the lessons of a module in another order: `PUT /v1/clubs/{clubId}/modules/{moduleId}/lessons/order` */
    readonly order: Call<"lessons.order">
    /** Read a lesson: `GET /v1/clubs/{clubId}/lessons/{lessonId}` */
    readonly get: Call<"lessons.get">
    /** Change a lesson or move it to another module of its course: `PATCH /v1/clubs/{clubId}/lessons/{lessonId}` */
    readonly update: Call<"lessons.update">
    /** Delete a lesson with its blocks: `DELETE /v1/clubs/{clubId}/lessons/{lessonId}` */
    readonly remove: Call<"lessons.remove">
    /** Publish, schedule or unpublish a lesson: `PUT /v1/clubs/{clubId}/lessons/{lessonId}/publication` */
    readonly publish: Call<"lessons.publish">
    /** List the blocks of a lesson in their order: `GET /v1/clubs/{clubId}/lessons/{lessonId}/blocks` */
    readonly listBlocks: List<"lessons.listBlocks">
    /** Add a block: `POST /v1/clubs/{clubId}/lessons/{lessonId}/blocks` */
    readonly createBlock: Call<"lessons.createBlock">
    /** Put the blocks of a lesson in another order: `PUT /v1/clubs/{clubId}/lessons/{lessonId}/blocks/order` */
    readonly orderBlocks: Call<"lessons.orderBlocks">
    /** Read a block: `GET /v1/clubs/{clubId}/blocks/{blockId}` */
    readonly getBlock: Call<"lessons.getBlock">
    /** Change a block: `PATCH /v1/clubs/{clubId}/blocks/{blockId}` */
    readonly updateBlock: Call<"lessons.updateBlock">
    /** Delete a block: `DELETE /v1/clubs/{clubId}/blocks/{blockId}` */
    readonly removeBlock: Call<"lessons.removeBlock">
  }
  readonly repositories: {
    /** List the repositories: `GET /v1/clubs/{clubId}/repositories` */
    readonly list: List<"repositories.list">
    /** Create a repository: `POST /v1/clubs/{clubId}/repositories` */
    readonly create: Call<"repositories.create">
    /** Read a repository: `GET /v1/clubs/{clubId}/repositories/{repositoryId}` */
    readonly get: Call<"repositories.get">
    /** Change a repository: `PATCH /v1/clubs/{clubId}/repositories/{repositoryId}` */
    readonly update: Call<"repositories.update">
    /** Delete a repository: `DELETE /v1/clubs/{clubId}/repositories/{repositoryId}` */
    readonly remove: Call<"repositories.remove">
    /** Publish, schedule or unpublish a repository: `PUT /v1/clubs/{clubId}/repositories/{repositoryId}/publication` */
    readonly publish: Call<"repositories.publish">
    /** List the files of a repository in their order: `GET /v1/clubs/{clubId}/repositories/{repositoryId}/files` */
    readonly listFiles: List<"repositories.listFiles">
    /** Add a file of the library: `POST /v1/clubs/{clubId}/repositories/{repositoryId}/files` */
    readonly addFile: Call<"repositories.addFile">
    /** Put the files of a repository in another order: `PUT /v1/clubs/{clubId}/repositories/{repositoryId}/files/order` */
    readonly orderFiles: Call<"repositories.orderFiles">
    /** Take a file away: `DELETE /v1/clubs/{clubId}/repositories/{repositoryId}/files/{fileId}` */
    readonly removeFile: Call<"repositories.removeFile">
  }
  readonly classroomRepositories: {
    /** List one's own repositories: `GET /v1/clubs/{clubId}/classroom/repositories` */
    readonly list: List<"classroomRepositories.list">
    /** Read a repository and its files: `GET /v1/clubs/{clubId}/classroom/repositories/{publicId}` */
    readonly get: Call<"classroomRepositories.get">
    /** Get an address to download a file from: `GET /v1/clubs/{clubId}/classroom/repositories/{publicId}/files/{fileId}/download` */
    readonly download: Call<"classroomRepositories.download">
  }
  readonly media: {
    /** List the media: `GET /v1/clubs/{clubId}/media` */
    readonly list: List<"media.list">
    /** Begin an upload, or add a provider's video: `POST /v1/clubs/{clubId}/media` */
    readonly create: Call<"media.create">
    /** Read a media record: `GET /v1/clubs/{clubId}/media/{mediaId}` */
    readonly get: Call<"media.get">
    /** Change, move, archive or bring back a media record: `PATCH /v1/clubs/{clubId}/media/{mediaId}` */
    readonly update: Call<"media.update">
    /** Delete a media record that nothing refers to, with its file: `DELETE /v1/clubs/{clubId}/media/{mediaId}` */
    readonly remove: Call<"media.remove">
    /** Begin or go on with an upload in parts: `POST /v1/clubs/{clubId}/media/{mediaId}/upload` */
    readonly resume: Call<"media.resume">
    /** Confirm that the file has been sent: `POST /v1/clubs/{clubId}/media/{mediaId}/complete` */
    readonly complete: Call<"media.complete">
    /** Get an address of the file: `GET /v1/clubs/{clubId}/media/{mediaId}/download` */
    readonly download: Call<"media.download">
  }
  readonly mediaFolders: {
    /** List the media folders: `GET /v1/clubs/{clubId}/media-folders` */
    readonly list: List<"mediaFolders.list">
    /** Create a media folder: `POST /v1/clubs/{clubId}/media-folders` */
    readonly create: Call<"mediaFolders.create">
    /** Read a media folder: `GET /v1/clubs/{clubId}/media-folders/{folderId}` */
    readonly get: Call<"mediaFolders.get">
    /** Rename a media folder: `PATCH /v1/clubs/{clubId}/media-folders/{folderId}` */
    readonly update: Call<"mediaFolders.update">
    /** Delete an empty media folder: `DELETE /v1/clubs/{clubId}/media-folders/{folderId}` */
    readonly remove: Call<"mediaFolders.remove">
  }
  readonly classroomMedia: {
    /** Begin an upload: `POST /v1/clubs/{clubId}/classroom/media` */
    readonly create: Call<"classroomMedia.create">
    /** Begin or go on with one's upload in parts: `POST /v1/clubs/{clubId}/classroom/media/{mediaId}/upload` */
    readonly resume: Call<"classroomMedia.resume">
    /** Confirm that the upload has been sent: `POST /v1/clubs/{clubId}/classroom/media/{mediaId}/complete` */
    readonly complete: Call<"classroomMedia.complete">
  }
  readonly mentorshipFiles: {
    /** Begin the upload of a mentorship file: `POST /v1/clubs/{clubId}/mentorship-files` */
    readonly create: Call<"mentorshipFiles.create">
    /** List the mentorship files, newest first: `GET /v1/clubs/{clubId}/mentorship-files` */
    readonly list: List<"mentorshipFiles.list">
    /** Begin or go on with the upload of a mentorship file in parts: `POST /v1/clubs/{clubId}/mentorship-files/{mediaId}/upload` */
    readonly resume: Call<"mentorshipFiles.resume">
    /** Confirm that a mentorship file has been sent: `POST /v1/clubs/{clubId}/mentorship-files/{mediaId}/complete` */
    readonly complete: Call<"mentorshipFiles.complete">
    /** Delete a mentorship file: `DELETE /v1/clubs/{clubId}/mentorship-files/{mediaId}` */
    readonly remove: Call<"mentorshipFiles.remove">
    /** Read the record of a mentorship file: `GET /v1/clubs/{clubId}/mentorship-files/{mediaId}` */
    readonly get: Call<"mentorshipFiles.get">
    /** Get an address of a mentorship file: `GET /v1/clubs/{clubId}/mentorship-files/{mediaId}/download` */
    readonly download: Call<"mentorshipFiles.download">
  }
  readonly classroom: {
    /** List one's own courses, with the progress in each: `GET /v1/clubs/{clubId}/classroom` */
    readonly courses: List<"classroom.courses">
    /** Read a course, its lessons and one's own progress: `GET /v1/clubs/{clubId}/classroom/courses/{publicId}` */
    readonly course: Call<"classroom.course">
    /** Read a lesson and what one did in it: `GET /v1/clubs/{clubId}/classroom/lessons/{publicId}` */
    readonly lesson: Call<"classroom.lesson">
    /** Complete a lesson: `PUT /v1/clubs/{clubId}/classroom/lessons/{publicId}/completion` */
    readonly complete: Call<"classroom.complete">
    /** Undo the completion of a lesson: `DELETE /v1/clubs/{clubId}/classroom/lessons/{publicId}/completion` */
    readonly undo: Call<"classroom.undo">
    /** Answer a quiz: `POST /v1/clubs/{clubId}/classroom/quizzes/{blockId}/attempts` */
    readonly attempt: Call<"classroom.attempt">
    /** Submit to an assignment: `POST /v1/clubs/{clubId}/classroom/assignments/{blockId}/submissions` */
    readonly submit: Call<"classroom.submit">
    /** List one's own submissions to an assignment: `GET /v1/clubs/{clubId}/classroom/assignments/{blockId}/submissions` */
    readonly submissions: List<"classroom.submissions">
  }
  readonly submissions: {
    /** List the submissions to assignments: `GET /v1/clubs/{clubId}/assignments/submissions` */
    readonly list: List<"submissions.list">
    /** Read a submission: `GET /v1/clubs/{clubId}/assignments/submissions/{submissionId}` */
    readonly get: Call<"submissions.get">
    /** Approve a submission: `POST /v1/clubs/{clubId}/assignments/submissions/{submissionId}/approve` */
    readonly approve: Call<"submissions.approve">
    /** Reject a submission, saying why: `POST /v1/clubs/{clubId}/assignments/submissions/{submissionId}/reject` */
    readonly reject: Call<"submissions.reject">
  }
  readonly studentProgress: {
    /** Read how far a student is in each course: `GET /v1/clubs/{clubId}/students/{studentId}/progress` */
    readonly list: List<"studentProgress.list">
  }
  readonly transcripts: {
    /** Read the transcript of a media record: `GET /v1/clubs/{clubId}/media/{mediaId}/transcript` */
    readonly get: Call<"transcripts.get">
    /** Write the transcript of a media record: `PUT /v1/clubs/{clubId}/media/{mediaId}/transcript` */
    readonly put: Call<"transcripts.put">
    /** Delete the transcript of a media record: `DELETE /v1/clubs/{clubId}/media/{mediaId}/transcript` */
    readonly remove: Call<"transcripts.remove">
    /** Say what became of a PDF file that the assistant was to read: `GET /v1/clubs/{clubId}/media/{mediaId}/reading` */
    readonly reading: Call<"transcripts.reading">
  }
  readonly agents: {
    /** List the assistant's agents: `GET /v1/clubs/{clubId}/agents` */
    readonly list: List<"agents.list">
    /** Name, switch or limit the assistant: `PATCH /v1/clubs/{clubId}/agents/{agentId}` */
    readonly update: Call<"agents.update">
  }
  readonly ask: {
    /** Read what was asked on a lesson, and the limits: `GET /v1/clubs/{clubId}/classroom/lessons/{publicId}/ask` */
    readonly state: Call<"ask.state">
    /** Ask the assistant about a lesson: `POST /v1/clubs/{clubId}/classroom/lessons/{publicId}/ask` */
    readonly ask: Call<"ask.ask">
    /** List one's conversations about a lesson: `GET /v1/clubs/{clubId}/classroom/lessons/{publicId}/ask/conversations` */
    readonly conversations: List<"ask.conversations">
    /** Read one of one's conversations: `GET /v1/clubs/{clubId}/classroom/ask/conversations/{conversationId}` */
    readonly conversation: Call<"ask.conversation">
    /** Read a conversation, back to its beginning: `GET /v1/clubs/{clubId}/classroom/ask/conversations/{conversationId}/messages` */
    readonly messages: List<"ask.messages">
    /** Read one's question, or the reply as far as it is: `GET /v1/clubs/{clubId}/classroom/ask/messages/{messageId}` */
    readonly message: Call<"ask.message">
    /** Follow a reply while it is generated: `GET /v1/clubs/{clubId}/classroom/ask/messages/{messageId}/stream` */
    readonly stream: Stream<"ask.stream">
    /** Stop a reply: `POST /v1/clubs/{clubId}/classroom/ask/messages/{messageId}/cancel` */
    readonly cancel: Call<"ask.cancel">
  }
  readonly assistantQuestions: {
    /** List what students asked the assistant: `GET /v1/clubs/{clubId}/assistant/questions` */
    readonly list: List<"assistantQuestions.list">
    /** Read a question to the assistant: `GET /v1/clubs/{clubId}/assistant/questions/{questionId}` */
    readonly get: Call<"assistantQuestions.get">
    /** Count what the assistant did, day by day: `GET /v1/clubs/{clubId}/assistant/usage` */
    readonly usage: Call<"assistantQuestions.usage">
  }
  readonly assistantReplies: {
    /** Have the assistant answer a student's comment: `POST /v1/clubs/{clubId}/comments/{commentId}/assistant-reply` */
    readonly reply: Call<"assistantReplies.reply">
  }
  readonly enrollments: {
    /** Give a student access to a delivery: `POST /v1/clubs/{clubId}/students/{studentId}/grants` */
    readonly grant: Call<"enrollments.grant">
    /** Take an access away: `POST /v1/clubs/{clubId}/enrollments/{enrollmentId}/revoke` */
    readonly revoke: Call<"enrollments.revoke">
    /** Give a revoked access back: `POST /v1/clubs/{clubId}/enrollments/{enrollmentId}/restore` */
    readonly restore: Call<"enrollments.restore">
    /** Make an access end later, or never: `POST /v1/clubs/{clubId}/enrollments/{enrollmentId}/extend` */
    readonly extend: Call<"enrollments.extend">
    /** Make an access end earlier: `POST /v1/clubs/{clubId}/enrollments/{enrollmentId}/shorten` */
    readonly shorten: Call<"enrollments.shorten">
    /** Put an access into another cohort: `POST /v1/clubs/{clubId}/enrollments/{enrollmentId}/move` */
    readonly move: Call<"enrollments.move">
    /** Read an enrollment: `GET /v1/clubs/{clubId}/enrollments/{enrollmentId}` */
    readonly get: Call<"enrollments.get">
  }
  readonly students: {
    /** List the students: `GET /v1/clubs/{clubId}/students` */
    readonly list: List<"students.list">
    /** Let somebody in as a student: `POST /v1/clubs/{clubId}/students` */
    readonly create: Call<"students.create">
    /** Read a student, their enrollments and their access history: `GET /v1/clubs/{clubId}/students/{studentId}` */
    readonly get: Call<"students.get">
    /** Correct a student's details: `PATCH /v1/clubs/{clubId}/students/{studentId}` */
    readonly update: Call<"students.update">
    /** Remove a student and forget the person: `DELETE /v1/clubs/{clubId}/students/{studentId}` */
    readonly remove: Call<"students.remove">
    /** Read what a removal deleted: `GET /v1/clubs/{clubId}/students/{studentId}/erasure` */
    readonly erasure: Call<"students.erasure">
  }
  readonly studentSales: {
    /** List a student's purchases: `GET /v1/clubs/{clubId}/students/{studentId}/purchases` */
    readonly purchases: List<"studentSales.purchases">
    /** List a student's subscriptions: `GET /v1/clubs/{clubId}/students/{studentId}/subscriptions` */
    readonly subscriptions: List<"studentSales.subscriptions">
  }
  readonly studentImports: {
    /** Import students: `POST /v1/clubs/{clubId}/students/imports` */
    readonly create: Call<"studentImports.create">
    /** List the imports of students: `GET /v1/clubs/{clubId}/students/imports` */
    readonly list: List<"studentImports.list">
    /** Say how far an import is: `GET /v1/clubs/{clubId}/students/imports/{importId}` */
    readonly get: Call<"studentImports.get">
    /** List what is wrong with an import's rows: `GET /v1/clubs/{clubId}/students/imports/{importId}/errors` */
    readonly errors: List<"studentImports.errors">
  }
  readonly studentExport: {
    /** Export the students: `GET /v1/clubs/{clubId}/students/export.csv` */
    readonly csv: Call<"studentExport.csv">
  }
  readonly support: {
    /** List the conversations, the latest activity first: `GET /v1/clubs/{clubId}/support/conversations` */
    readonly list: List<"support.list">
    /** Read a conversation without its messages: `GET /v1/clubs/{clubId}/support/conversations/{conversationId}` */
    readonly get: Call<"support.get">
    /** Change the status of a conversation, or who looks after it: `PATCH /v1/clubs/{clubId}/support/conversations/{conversationId}` */
    readonly update: Call<"support.update">
    /** List the messages of a conversation, the newest first: `GET /v1/clubs/{clubId}/support/conversations/{conversationId}/messages` */
    readonly messages: List<"support.messages">
    /** Answer a student: `POST /v1/clubs/{clubId}/support/conversations/{conversationId}/messages` */
    readonly write: Call<"support.write">
    /** Mark a conversation as read by the person in the session: `POST /v1/clubs/{clubId}/support/conversations/{conversationId}/read` */
    readonly read: Call<"support.read">
  }
  readonly classroomSupport: {
    /** List one's own conversations, the latest activity first: `GET /v1/clubs/{clubId}/classroom/support/conversations` */
    readonly list: List<"classroomSupport.list">
    /** Ask the staff: `POST /v1/clubs/{clubId}/classroom/support/conversations` */
    readonly open: Call<"classroomSupport.open">
    /** Read one's own conversation without its messages: `GET /v1/clubs/{clubId}/classroom/support/conversations/{conversationId}` */
    readonly get: Call<"classroomSupport.get">
    /** List the messages of one's own conversation, the newest first: `GET /v1/clubs/{clubId}/classroom/support/conversations/{conversationId}/messages` */
    readonly messages: List<"classroomSupport.messages">
    /** Write to the staff: `POST /v1/clubs/{clubId}/classroom/support/conversations/{conversationId}/messages` */
    readonly write: Call<"classroomSupport.write">
    /** Mark one's own conversation as read: `POST /v1/clubs/{clubId}/classroom/support/conversations/{conversationId}/read` */
    readonly read: Call<"classroomSupport.read">
  }
  readonly inboundWebhooks: {
    /** Make an address for a sales platform: `POST /v1/clubs/{clubId}/inbound-webhooks` */
    readonly create: Call<"inboundWebhooks.create">
    /** List the inbound webhooks: `GET /v1/clubs/{clubId}/inbound-webhooks` */
    readonly list: List<"inboundWebhooks.list">
    /** Read an inbound webhook: `GET /v1/clubs/{clubId}/inbound-webhooks/{inboundWebhookId}` */
    readonly get: Call<"inboundWebhooks.get">
    /** Change, disable or enable an inbound webhook: `PATCH /v1/clubs/{clubId}/inbound-webhooks/{inboundWebhookId}` */
    readonly update: Call<"inboundWebhooks.update">
    /** Delete an inbound webhook: `DELETE /v1/clubs/{clubId}/inbound-webhooks/{inboundWebhookId}` */
    readonly remove: Call<"inboundWebhooks.remove">
    /** Replace the URL of an inbound webhook: `POST /v1/clubs/{clubId}/inbound-webhooks/{inboundWebhookId}/rotate-token` */
    readonly rotateToken: Call<"inboundWebhooks.rotateToken">
  }
  readonly inboundEvents: {
    /** List what a sales platform has sent: `GET /v1/clubs/{clubId}/inbound-webhooks/{inboundWebhookId}/events` */
    readonly list: List<"inboundEvents.list">
    /** List what all sales platforms have sent: `GET /v1/clubs/{clubId}/inbound-events` */
    readonly listAll: List<"inboundEvents.listAll">
    /** Read what a sales platform has sent, as it came: `GET /v1/clubs/{clubId}/inbound-events/{inboundEventId}` */
    readonly get: Call<"inboundEvents.get">
    /** Process an inbound event again: `POST /v1/clubs/{clubId}/inbound-events/{inboundEventId}/reprocess` */
    readonly reprocess: Call<"inboundEvents.reprocess">
  }
  readonly productMappings: {
    /** List the sales platforms and how to connect them: `GET /v1/clubs/{clubId}/sales-platforms` */
    readonly platforms: List<"productMappings.platforms">
    /** Say what a product gives access to: `POST /v1/clubs/{clubId}/product-mappings` */
    readonly create: Call<"productMappings.create">
    /** List the product mappings: `GET /v1/clubs/{clubId}/product-mappings` */
    readonly list: List<"productMappings.list">
    /** List the products that no mapping takes: `GET /v1/clubs/{clubId}/unmapped-products` */
    readonly unmapped: List<"productMappings.unmapped">
    /** Read a product mapping: `GET /v1/clubs/{clubId}/product-mappings/{mappingId}` */
    readonly get: Call<"productMappings.get">
    /** Change a product mapping: `PATCH /v1/clubs/{clubId}/product-mappings/{mappingId}` */
    readonly update: Call<"productMappings.update">
    /** Delete a product mapping: `DELETE /v1/clubs/{clubId}/product-mappings/{mappingId}` */
    readonly remove: Call<"productMappings.remove">
    /** Process what waited for a product mapping: `POST /v1/clubs/{clubId}/product-mappings/{mappingId}/reprocess` */
    readonly reprocess: Call<"productMappings.reprocess">
  }
  readonly billing: {
    /** Contract an add-on: `POST /v1/clubs/{clubId}/billing/addons` */
    readonly contract: Call<"billing.contract">
    /** Remove an add-on: `DELETE /v1/clubs/{clubId}/billing/addons/{addonKey}` */
    readonly remove: Call<"billing.remove">
    /** List the invoices, newest first: `GET /v1/clubs/{clubId}/billing/invoices` */
    readonly invoices: List<"billing.invoices">
    /** Read what the next invoice will say: `GET /v1/clubs/{clubId}/billing/invoices/upcoming` */
    readonly upcoming: Call<"billing.upcoming">
    /** Get an address at which the club buys a plan: `POST /v1/clubs/{clubId}/billing/checkout` */
    readonly checkout: Call<"billing.checkout">
    /** List the subscriptions that nobody has confirmed: `GET /v1/clubs/{clubId}/billing/subscriptions` */
    readonly unconfirmed: List<"billing.unconfirmed">
    /** Make a subscription that was bought elsewhere the club's plan: `POST /v1/clubs/{clubId}/billing/subscriptions/{subscriptionId}/confirm` */
    readonly confirm: Call<"billing.confirm">
    /** Read plan, add-ons and usage: `GET /v1/clubs/{clubId}/billing` */
    readonly status: Call<"billing.status">
    /** List the plans that the club can buy: `GET /v1/clubs/{clubId}/billing/plans` */
    readonly plans: List<"billing.plans">
    /** Get an address of the payment provider's portal: `POST /v1/clubs/{clubId}/billing/portal` */
    readonly portal: Call<"billing.portal">
  }
  readonly webhookEndpoints: {
    /** List the types of events that can be sent: `GET /v1/clubs/{clubId}/webhook-event-types` */
    readonly eventTypes: List<"webhookEndpoints.eventTypes">
    /** Register a webhook endpoint: `POST /v1/clubs/{clubId}/webhook-endpoints` */
    readonly create: Call<"webhookEndpoints.create">
    /** List the webhook endpoints: `GET /v1/clubs/{clubId}/webhook-endpoints` */
    readonly list: List<"webhookEndpoints.list">
    /** Read a webhook endpoint: `GET /v1/clubs/{clubId}/webhook-endpoints/{endpointId}` */
    readonly get: Call<"webhookEndpoints.get">
    /** Change, pause, disable or enable a webhook endpoint: `PATCH /v1/clubs/{clubId}/webhook-endpoints/{endpointId}` */
    readonly update: Call<"webhookEndpoints.update">
    /** Delete a webhook endpoint: `DELETE /v1/clubs/{clubId}/webhook-endpoints/{endpointId}` */
    readonly remove: Call<"webhookEndpoints.remove">
    /** Replace the signing secret of a webhook endpoint and its key: `POST /v1/clubs/{clubId}/webhook-endpoints/{endpointId}/rotate-secret` */
    readonly rotateSecret: Call<"webhookEndpoints.rotateSecret">
    /** Count what became of the latest webhook deliveries: `GET /v1/clubs/{clubId}/webhook-endpoints/{endpointId}/stats` */
    readonly stats: Call<"webhookEndpoints.stats">
    /** Count the attempts of a webhook endpoint by hour or day: `GET /v1/clubs/{clubId}/webhook-endpoints/{endpointId}/series` */
    readonly series: Call<"webhookEndpoints.series">
    /** Count the attempts of every webhook endpoint by hour or day: `GET /v1/clubs/{clubId}/webhook-endpoints/series` */
    readonly seriesOfAll: List<"webhookEndpoints.seriesOfAll">
    /** Say why a webhook endpoint is or is not delivering: `GET /v1/clubs/{clubId}/webhook-endpoints/{endpointId}/diagnosis` */
    readonly diagnose: Call<"webhookEndpoints.diagnose">
    /** Say of every webhook endpoint why it is or is not delivering: `GET /v1/clubs/{clubId}/webhook-endpoints/diagnoses` */
    readonly diagnoseAll: List<"webhookEndpoints.diagnoseAll">
  }
  readonly webhookDeliveries: {
    /** Send a test to a webhook endpoint: `POST /v1/clubs/{clubId}/webhook-endpoints/{endpointId}/test` */
    readonly test: Call<"webhookDeliveries.test">
    /** List the deliveries to a webhook endpoint: `GET /v1/clubs/{clubId}/webhook-endpoints/{endpointId}/deliveries` */
    readonly list: List<"webhookDeliveries.list">
    /** List the deliveries to all webhook endpoints: `GET /v1/clubs/{clubId}/webhook-deliveries` */
    readonly listAll: List<"webhookDeliveries.listAll">
    /** Follow the deliveries to a webhook endpoint: `GET /v1/clubs/{clubId}/webhook-endpoints/{endpointId}/deliveries/stream` */
    readonly stream: Stream<"webhookDeliveries.stream">
    /** Follow the deliveries to all webhook endpoints: `GET /v1/clubs/{clubId}/webhook-deliveries/stream` */
    readonly streamAll: Stream<"webhookDeliveries.streamAll">
    /** Read a webhook delivery, its payload and its attempts: `GET /v1/clubs/{clubId}/webhook-endpoints/{endpointId}/deliveries/{deliveryId}` */
    readonly get: Call<"webhookDeliveries.get">
    /** Send a webhook delivery again: `POST /v1/clubs/{clubId}/webhook-endpoints/{endpointId}/deliveries/{deliveryId}/resend` */
    readonly resend: Call<"webhookDeliveries.resend">
    /** Send failed webhook deliveries again: `POST /v1/clubs/{clubId}/webhook-endpoints/{endpointId}/recover` */
    readonly recover: Call<"webhookDeliveries.recover">
    /** Count what recovering would send again: `GET /v1/clubs/{clubId}/webhook-endpoints/{endpointId}/recover` */
    readonly previewRecovery: Call<"webhookDeliveries.previewRecovery">
    /** Read an event and all of its webhook deliveries: `GET /v1/clubs/{clubId}/webhook-events/{eventId}` */
    readonly event: Call<"webhookDeliveries.event">
  }
  readonly webhookRecoveries: {
    /** Preview a recovery, or start it: `POST /v1/clubs/{clubId}/webhook-endpoints/{endpointId}/recoveries` */
    readonly create: Call<"webhookRecoveries.create">
    /** List the recoveries of a webhook endpoint: `GET /v1/clubs/{clubId}/webhook-endpoints/{endpointId}/recoveries` */
    readonly list: List<"webhookRecoveries.list">
    /** Say how far a recovery is: `GET /v1/clubs/{clubId}/webhook-endpoints/{endpointId}/recoveries/{recoveryId}` */
    readonly get: Call<"webhookRecoveries.get">
    /** Start, pause, continue or cancel a recovery: `PATCH /v1/clubs/{clubId}/webhook-endpoints/{endpointId}/recoveries/{recoveryId}` */
    readonly update: Call<"webhookRecoveries.update">
    /** Say how far the drain of a webhook endpoint is: `GET /v1/clubs/{clubId}/webhook-endpoints/{endpointId}/drain` */
    readonly drain: Call<"webhookRecoveries.drain">
  }
  readonly webhookListeners: {
    /** Listen for events without an address: `POST /v1/clubs/{clubId}/webhook-listeners` */
    readonly create: Call<"webhookListeners.create">
    /** Poll for deliveries: `GET /v1/clubs/{clubId}/webhook-listeners/{listenerId}/deliveries` */
    readonly poll: Call<"webhookListeners.poll">
    /** Tell what became of deliveries: `POST /v1/clubs/{clubId}/webhook-listeners/{listenerId}/results` */
    readonly record: Call<"webhookListeners.record">
  }
  readonly webhookInboxes: {
    /** Make an inbox: `POST /v1/clubs/{clubId}/webhook-inboxes` */
    readonly create: Call<"webhookInboxes.create">
    /** List the inboxes: `GET /v1/clubs/{clubId}/webhook-inboxes` */
    readonly list: List<"webhookInboxes.list">
    /** Read an inbox: `GET /v1/clubs/{clubId}/webhook-inboxes/{inboxId}` */
    readonly get: Call<"webhookInboxes.get">
    /** Tell an inbox how to answer: `PATCH /v1/clubs/{clubId}/webhook-inboxes/{inboxId}` */
    readonly update: Call<"webhookInboxes.update">
    /** Delete an inbox: `DELETE /v1/clubs/{clubId}/webhook-inboxes/{inboxId}` */
    readonly remove: Call<"webhookInboxes.remove">
    /** List what an inbox has taken: `GET /v1/clubs/{clubId}/webhook-inboxes/{inboxId}/requests` */
    readonly requests: List<"webhookInboxes.requests">
    /** Follow what an inbox takes: `GET /v1/clubs/{clubId}/webhook-inboxes/{inboxId}/requests/stream` */
    readonly stream: Stream<"webhookInboxes.stream">
    /** Read what an inbox has taken: `GET /v1/clubs/{clubId}/webhook-inboxes/{inboxId}/requests/{requestId}` */
    readonly request: Call<"webhookInboxes.request">
  }
  readonly webhookFilters: {
    /** Try a filter on an event: `POST /v1/clubs/{clubId}/webhook-endpoints/filter-test` */
    readonly test: Call<"webhookFilters.test">
  }
  readonly eventFeed: {
    /** Read every event of the club, in order: `GET /v1/clubs/{clubId}/events` */
    readonly list: List<"eventFeed.list">
    /** Follow every event of the club: `GET /v1/clubs/{clubId}/events/stream` */
    readonly stream: Stream<"eventFeed.stream">
  }
  readonly webhookOutages: {
    /** Simulate an outage of a receiver: `POST /v1/clubs/{clubId}/webhook-endpoints/simulate` */
    readonly simulate: Call<"webhookOutages.simulate">
  }
  readonly webhookGradings: {
    /** Grade a receiver: `POST /v1/clubs/{clubId}/webhook-endpoints/{endpointId}/grade` */
    readonly begin: Call<"webhookGradings.begin">
    /** List the gradings of a receiver: `GET /v1/clubs/{clubId}/webhook-endpoints/{endpointId}/gradings` */
    readonly list: List<"webhookGradings.list">
    /** Read a grading: `GET /v1/clubs/{clubId}/webhook-endpoints/{endpointId}/gradings/{gradingId}` */
    readonly get: Call<"webhookGradings.get">
  }
  readonly platformHooks: {
    /** Take in what a sales platform sends: `POST /webhooks/{platform}/{token}` */
    readonly receive: Call<"platformHooks.receive">
  }
  readonly webhookKeys: {
    /** List the public keys of a webhook endpoint: `GET /.well-known/turma/webhook-keys/{endpointId}` */
    readonly list: List<"webhookKeys.list">
  }
}

/** The id of each operation by its method and its path. */
export interface Paths {
  GET: {
    "/v1/health": "health.live"
    "/v1/health/ready": "health.ready"
    "/v1/auth/session": "sessions.current"
    "/v1/auth/sessions": "sessions.list"
    "/v1/me": "account.me"
    "/v1/clubs/{clubId}/members": "clubs.listMembers"
    "/v1/clubs/{clubId}/members/invitations": "clubs.listInvitations"
    "/v1/clubs/{clubId}": "clubs.get"
    "/v1/clubs/{clubId}/keys": "keys.list"
    "/v1/clubs/{clubId}/keys/{keyId}": "keys.get"
    "/v1/key": "ownKey.get"
    "/v1/clubs/{clubId}/audit-log": "auditLog.list"
    "/v1/clubs/{clubId}/audit-log/reads": "auditLog.reads"
    "/v1/clubs/{clubId}/gamification": "gamification.read"
    "/v1/clubs/{clubId}/gamification/levels/spread": "gamification.spread"
    "/v1/clubs/{clubId}/gamification/ranking": "gamification.ranking"
    "/v1/clubs/{clubId}/students/{studentId}/points": "gamification.statement"
    "/v1/clubs/{clubId}/classroom/gamification": "gamification.standing"
    "/v1/clubs/{clubId}/classroom/ranking": "gamification.classroomRanking"
    "/v1/clubs/{clubId}/community": "community.read"
    "/v1/clubs/{clubId}/classroom/community": "classroomCommunity.read"
    "/v1/clubs/{clubId}/classroom/community/spaces/{spaceId}/posts": "classroomPosts.list"
    "/v1/clubs/{clubId}/classroom/community/posts/{postId}": "classroomPosts.get"
    "/v1/clubs/{clubId}/community/spaces/{spaceId}/posts": "posts.list"
    "/v1/clubs/{clubId}/community/posts/{postId}": "posts.get"
    "/v1/clubs/{clubId}/community/posts/{postId}/comments": "postComments.list"
    "/v1/clubs/{clubId}/comments": "comments.list"
    "/v1/clubs/{clubId}/comments/moderation": "comments.moderation"
    "/v1/clubs/{clubId}/comments/{commentId}": "comments.get"
    "/v1/clubs/{clubId}/comments/{commentId}/replies": "comments.replies"
    "/v1/clubs/{clubId}/classroom/lessons/{publicId}/comments": "classroomComments.list"
    "/v1/clubs/{clubId}/classroom/community/posts/{postId}/comments": "classroomComments.listOfPost"
    "/v1/clubs/{clubId}/classroom/comments/saved": "classroomComments.saved"
    "/v1/clubs/{clubId}/classroom/comments/{commentId}/replies": "classroomComments.replies"
    "/v1/clubs/{clubId}/lives": "lives.list"
    "/v1/clubs/{clubId}/lives/{liveId}": "lives.get"
    "/v1/clubs/{clubId}/lives/{liveId}/attendances": "lives.attendances"
    "/v1/clubs/{clubId}/classroom/lives": "classroomLives.list"
    "/v1/clubs/{clubId}/deliveries": "deliveries.list"
    "/v1/clubs/{clubId}/deliveries/{deliveryId}": "deliveries.get"
    "/v1/clubs/{clubId}/deliveries/{deliveryId}/cohorts": "deliveries.listCohorts"
    "/v1/clubs/{clubId}/deliveries/{deliveryId}/cohorts/{cohortId}": "deliveries.getCohort"
    "/v1/clubs/{clubId}/registration-links": "registrationLinks.list"
    "/v1/clubs/{clubId}/registration-links/{linkId}": "registrationLinks.get"
    "/v1/clubs/{clubId}/courses": "courses.list"
    "/v1/clubs/{clubId}/courses/{courseId}": "courses.get"
    "/v1/clubs/{clubId}/courses/{courseId}/outline": "courses.outline"
    "/v1/clubs/{clubId}/courses/{courseId}/modules": "courses.listModules"
    "/v1/clubs/{clubId}/modules/{moduleId}": "courses.getModule"
    "/v1/clubs/{clubId}/modules/{moduleId}/lessons": "lessons.list"
    "/v1/clubs/{clubId}/lessons/{lessonId}": "lessons.get"
    "/v1/clubs/{clubId}/lessons/{lessonId}/blocks": "lessons.listBlocks"
    "/v1/clubs/{clubId}/blocks/{blockId}": "lessons.getBlock"
    "/v1/clubs/{clubId}/repositories": "repositories.list"
    "/v1/clubs/{clubId}/repositories/{repositoryId}": "repositories.get"
    "/v1/clubs/{clubId}/repositories/{repositoryId}/files": "repositories.listFiles"
    "/v1/clubs/{clubId}/classroom/repositories": "classroomRepositories.list"
    "/v1/clubs/{clubId}/classroom/repositories/{publicId}": "classroomRepositories.get"
    "/v1/clubs/{clubId}/classroom/repositories/{publicId}/files/{fileId}/download": "classroomRepositories.download"
    "/v1/clubs/{clubId}/media": "media.list"
    "/v1/clubs/{clubId}/media/{mediaId}": "media.get"
    "/v1/clubs/{clubId}/media/{mediaId}/download": "media.download"
    "/v1/clubs/{clubId}/media-folders": "mediaFolders.list"
    "/v1/clubs/{clubId}/media-folders/{folderId}": "mediaFolders.get"
    "/v1/clubs/{clubId}/mentorship-files": "mentorshipFiles.list"
    "/v1/clubs/{clubId}/mentorship-files/{mediaId}": "mentorshipFiles.get"
    "/v1/clubs/{clubId}/mentorship-files/{mediaId}/download": "mentorshipFiles.download"
    "/v1/clubs/{clubId}/classroom": "classroom.courses"
    "/v1/clubs/{clubId}/classroom/courses/{publicId}": "classroom.course"
    "/v1/clubs/{clubId}/classroom/lessons/{publicId}": "classroom.lesson"
    "/v1/clubs/{clubId}/classroom/assignments/{blockId}/submissions": "classroom.submissions"
    "/v1/clubs/{clubId}/assignments/submissions": "submissions.list"
    "/v1/clubs/{clubId}/assignments/submissions/{submissionId}": "submissions.get"
    "/v1/clubs/{clubId}/students/{studentId}/progress": "studentProgress.list"
    "/v1/clubs/{clubId}/media/{mediaId}/transcript": "transcripts.get"
    "/v1/clubs/{clubId}/media/{mediaId}/reading": "transcripts.reading"
    "/v1/clubs/{clubId}/agents": "agents.list"
    "/v1/clubs/{clubId}/classroom/lessons/{publicId}/ask": "ask.state"
    "/v1/clubs/{clubId}/classroom/lessons/{publicId}/ask/conversations": "ask.conversations"
    "/v1/clubs/{clubId}/classroom/ask/conversations/{conversationId}": "ask.conversation"
    "/v1/clubs/{clubId}/classroom/ask/conversations/{conversationId}/messages": "ask.messages"
    "/v1/clubs/{clubId}/classroom/ask/messages/{messageId}": "ask.message"
    "/v1/clubs/{clubId}/classroom/ask/messages/{messageId}/stream": "ask.stream"
    "/v1/clubs/{clubId}/assistant/questions": "assistantQuestions.list"
    "/v1/clubs/{clubId}/assistant/questions/{questionId}": "assistantQuestions.get"
    "/v1/clubs/{clubId}/assistant/usage": "assistantQuestions.usage"
    "/v1/clubs/{clubId}/enrollments/{enrollmentId}": "enrollments.get"
    "/v1/clubs/{clubId}/students": "students.list"
    "/v1/clubs/{clubId}/students/{studentId}": "students.get"
    "/v1/clubs/{clubId}/students/{studentId}/erasure": "students.erasure"
    "/v1/clubs/{clubId}/students/{studentId}/purchases": "studentSales.purchases"
    "/v1/clubs/{clubId}/students/{studentId}/subscriptions": "studentSales.subscriptions"
    "/v1/clubs/{clubId}/students/imports": "studentImports.list"
    "/v1/clubs/{clubId}/students/imports/{importId}": "studentImports.get"
    "/v1/clubs/{clubId}/students/imports/{importId}/errors": "studentImports.errors"
    "/v1/clubs/{clubId}/students/export.csv": "studentExport.csv"
    "/v1/clubs/{clubId}/support/conversations": "support.list"
    "/v1/clubs/{clubId}/support/conversations/{conversationId}": "support.get"
    "/v1/clubs/{clubId}/support/conversations/{conversationId}/messages": "support.messages"
    "/v1/clubs/{clubId}/classroom/support/conversations": "classroomSupport.list"
    "/v1/clubs/{clubId}/classroom/support/conversations/{conversationId}": "classroomSupport.get"
    "/v1/clubs/{clubId}/classroom/support/conversations/{conversationId}/messages": "classroomSupport.messages"
    "/v1/clubs/{clubId}/inbound-webhooks": "inboundWebhooks.list"
    "/v1/clubs/{clubId}/inbound-webhooks/{inboundWebhookId}": "inboundWebhooks.get"
    "/v1/clubs/{clubId}/inbound-webhooks/{inboundWebhookId}/events": "inboundEvents.list"
    "/v1/clubs/{clubId}/inbound-events": "inboundEvents.listAll"
    "/v1/clubs/{clubId}/inbound-events/{inboundEventId}": "inboundEvents.get"
    "/v1/clubs/{clubId}/sales-platforms": "productMappings.platforms"
    "/v1/clubs/{clubId}/product-mappings": "productMappings.list"
    "/v1/clubs/{clubId}/unmapped-products": "productMappings.unmapped"
    "/v1/clubs/{clubId}/product-mappings/{mappingId}": "productMappings.get"
    "/v1/clubs/{clubId}/billing/invoices": "billing.invoices"
    "/v1/clubs/{clubId}/billing/invoices/upcoming": "billing.upcoming"
    "/v1/clubs/{clubId}/billing/subscriptions": "billing.unconfirmed"
    "/v1/clubs/{clubId}/billing": "billing.status"
    "/v1/clubs/{clubId}/billing/plans": "billing.plans"
    "/v1/clubs/{clubId}/webhook-event-types": "webhookEndpoints.eventTypes"
    "/v1/clubs/{clubId}/webhook-endpoints": "webhookEndpoints.list"
    "/v1/clubs/{clubId}/webhook-endpoints/{endpointId}": "webhookEndpoints.get"
    "/v1/clubs/{clubId}/webhook-endpoints/{endpointId}/stats": "webhookEndpoints.stats"
    "/v1/clubs/{clubId}/webhook-endpoints/{endpointId}/series": "webhookEndpoints.series"
    "/v1/clubs/{clubId}/webhook-endpoints/series": "webhookEndpoints.seriesOfAll"
    "/v1/clubs/{clubId}/webhook-endpoints/{endpointId}/diagnosis": "webhookEndpoints.diagnose"
    "/v1/clubs/{clubId}/webhook-endpoints/diagnoses": "webhookEndpoints.diagnoseAll"
    "/v1/clubs/{clubId}/webhook-endpoints/{endpointId}/deliveries": "webhookDeliveries.list"
    "/v1/clubs/{clubId}/webhook-deliveries": "webhookDeliveries.listAll"
    "/v1/clubs/{clubId}/webhook-endpoints/{endpointId}/deliveries/stream": "webhookDeliveries.stream"
    "/v1/clubs/{clubId}/webhook-deliveries/stream": "webhookDeliveries.streamAll"
    "/v1/clubs/{clubId}/webhook-endpoints/{endpointId}/deliveries/{deliveryId}": "webhookDeliveries.get"
    "/v1/clubs/{clubId}/webhook-endpoints/{endpointId}/recover": "webhookDeliveries.previewRecovery"
    "/v1/clubs/{clubId}/webhook-events/{eventId}": "webhookDeliveries.event"
    "/v1/clubs/{clubId}/webhook-endpoints/{endpointId}/recoveries": "webhookRecoveries.list"
    "/v1/clubs/{clubId}/webhook-endpoints/{endpointId}/recoveries/{recoveryId}": "webhookRecoveries.get"
    "/v1/clubs/{clubId}/webhook-endpoints/{endpointId}/drain": "webhookRecoveries.drain"
    "/v1/clubs/{clubId}/webhook-listeners/{listenerId}/deliveries": "webhookListeners.poll"
    "/v1/clubs/{clubId}/webhook-inboxes": "webhookInboxes.list"
    "/v1/clubs/{clubId}/webhook-inboxes/{inboxId}": "webhookInboxes.get"
    "/v1/clubs/{clubId}/webhook-inboxes/{inboxId}/requests": "webhookInboxes.requests"
    "/v1/clubs/{clubId}/webhook-inboxes/{inboxId}/requests/stream": "webhookInboxes.stream"
    "/v1/clubs/{clubId}/webhook-inboxes/{inboxId}/requests/{requestId}": "webhookInboxes.request"
    "/v1/clubs/{clubId}/events": "eventFeed.list"
    "/v1/clubs/{clubId}/events/stream": "eventFeed.stream"
    "/v1/clubs/{clubId}/webhook-endpoints/{endpointId}/gradings": "webhookGradings.list"
    "/v1/clubs/{clubId}/webhook-endpoints/{endpointId}/gradings/{gradingId}": "webhookGradings.get"
    "/.well-known/turma/webhook-keys/{endpointId}": "webhookKeys.list"
  }
  POST: {
    "/v1/auth/admin/sign-up": "adminAuth.signUp"
    "/v1/auth/admin/confirm": "adminAuth.confirm"
    "/v1/auth/admin/confirm/resend": "adminAuth.resendConfirmation"
    "/v1/auth/admin/sign-in": "adminAuth.signIn"
    "/v1/auth/admin/access": "adminAuth.access"
    "/v1/auth/admin/exchange": "adminAuth.exchange"
    "/v1/auth/admin/password/forgot": "adminAuth.forgotPassword"
    "/v1/auth/admin/password/reset": "adminAuth.resetPassword"
    "/v1/auth/sign-up": "studentAuth.signUp"
    "/v1/auth/confirm": "studentAuth.confirm"
    "/v1/auth/confirm/resend": "studentAuth.resendConfirmation"
    "/v1/auth/sign-in": "studentAuth.signIn"
    "/v1/auth/access": "studentAuth.access"
    "/v1/auth/exchange": "studentAuth.exchange"
    "/v1/auth/password/forgot": "studentAuth.forgotPassword"
    "/v1/auth/password/reset": "studentAuth.resetPassword"
    "/v1/auth/admin/password/change": "passwords.changeAdminPassword"
    "/v1/auth/password/change": "passwords.changeStudentPassword"
    "/v1/clubs": "account.createClub"
    "/v1/invitations/accept": "account.acceptInvitation"
    "/v1/clubs/{clubId}/members/invitations": "clubs.invite"
    "/v1/clubs/{clubId}/keys": "keys.create"
    "/v1/clubs/{clubId}/keys/{keyId}/rotate": "keys.rotate"
    "/v1/clubs/{clubId}/keys/{keyId}/adopt": "keys.adopt"
    "/v1/clubs/{clubId}/keys/devices": "keys.approveDevice"
    "/v1/auth/device": "devices.begin"
    "/v1/auth/device/token": "devices.redeem"
    "/v1/clubs/{clubId}/students/{studentId}/points": "gamification.adjust"
    "/v1/clubs/{clubId}/community/spaces": "community.createSpace"
    "/v1/clubs/{clubId}/classroom/community/spaces/{spaceId}/posts": "classroomPosts.create"
    "/v1/clubs/{clubId}/community/spaces/{spaceId}/posts": "posts.create"
    "/v1/clubs/{clubId}/community/posts/{postId}/comments": "postComments.create"
    "/v1/clubs/{clubId}/comments/{commentId}/replies": "comments.reply"
    "/v1/clubs/{clubId}/classroom/lessons/{publicId}/comments": "classroomComments.create"
    "/v1/clubs/{clubId}/classroom/community/posts/{postId}/comments": "classroomComments.createOnPost"
    "/v1/clubs/{clubId}/classroom/comments/{commentId}/report": "classroomComments.report"
    "/v1/clubs/{clubId}/lives": "lives.create"
    "/v1/clubs/{clubId}/lives/{liveId}/open": "lives.open"
    "/v1/clubs/{clubId}/lives/{liveId}/close": "lives.close"
    "/v1/clubs/{clubId}/classroom/lives/{liveId}/join": "classroomLives.join"
    "/v1/clubs/{clubId}/deliveries": "deliveries.create"
    "/v1/clubs/{clubId}/deliveries/{deliveryId}/cohorts": "deliveries.createCohort"
    "/v1/clubs/{clubId}/registration-links": "registrationLinks.create"
    "/v1/clubs/{clubId}/classroom/registrations": "registrations.register"
    "/v1/clubs/{clubId}/courses": "courses.create"
    "/v1/clubs/{clubId}/courses/{courseId}/modules": "courses.createModule"
    "/v1/clubs/{clubId}/modules/{moduleId}/lessons": "lessons.create"
    "/v1/clubs/{clubId}/lessons/{lessonId}/blocks": "lessons.createBlock"
    "/v1/clubs/{clubId}/repositories": "repositories.create"
    "/v1/clubs/{clubId}/repositories/{repositoryId}/files": "repositories.addFile"
    "/v1/clubs/{clubId}/media": "media.create"
    "/v1/clubs/{clubId}/media/{mediaId}/upload": "media.resume"
    "/v1/clubs/{clubId}/media/{mediaId}/complete": "media.complete"
    "/v1/clubs/{clubId}/media-folders": "mediaFolders.create"
    "/v1/clubs/{clubId}/classroom/media": "classroomMedia.create"
    "/v1/clubs/{clubId}/classroom/media/{mediaId}/upload": "classroomMedia.resume"
    "/v1/clubs/{clubId}/classroom/media/{mediaId}/complete": "classroomMedia.complete"
    "/v1/clubs/{clubId}/mentorship-files": "mentorshipFiles.create"
    "/v1/clubs/{clubId}/mentorship-files/{mediaId}/upload": "mentorshipFiles.resume"
    "/v1/clubs/{clubId}/mentorship-files/{mediaId}/complete": "mentorshipFiles.complete"
    "/v1/clubs/{clubId}/classroom/quizzes/{blockId}/attempts": "classroom.attempt"
    "/v1/clubs/{clubId}/classroom/assignments/{blockId}/submissions": "classroom.submit"
    "/v1/clubs/{clubId}/assignments/submissions/{submissionId}/approve": "submissions.approve"
    "/v1/clubs/{clubId}/assignments/submissions/{submissionId}/reject": "submissions.reject"
    "/v1/clubs/{clubId}/classroom/lessons/{publicId}/ask": "ask.ask"
    "/v1/clubs/{clubId}/classroom/ask/messages/{messageId}/cancel": "ask.cancel"
    "/v1/clubs/{clubId}/comments/{commentId}/assistant-reply": "assistantReplies.reply"
    "/v1/clubs/{clubId}/students/{studentId}/grants": "enrollments.grant"
    "/v1/clubs/{clubId}/enrollments/{enrollmentId}/revoke": "enrollments.revoke"
    "/v1/clubs/{clubId}/enrollments/{enrollmentId}/restore": "enrollments.restore"
    "/v1/clubs/{clubId}/enrollments/{enrollmentId}/extend": "enrollments.extend"
    "/v1/clubs/{clubId}/enrollments/{enrollmentId}/shorten": "enrollments.shorten"
    "/v1/clubs/{clubId}/enrollments/{enrollmentId}/move": "enrollments.move"
    "/v1/clubs/{clubId}/students": "students.create"
    "/v1/clubs/{clubId}/students/imports": "studentImports.create"
    "/v1/clubs/{clubId}/support/conversations/{conversationId}/messages": "support.write"
    "/v1/clubs/{clubId}/support/conversations/{conversationId}/read": "support.read"
    "/v1/clubs/{clubId}/classroom/support/conversations": "classroomSupport.open"
    "/v1/clubs/{clubId}/classroom/support/conversations/{conversationId}/messages": "classroomSupport.write"
    "/v1/clubs/{clubId}/classroom/support/conversations/{conversationId}/read": "classroomSupport.read"
    "/v1/clubs/{clubId}/inbound-webhooks": "inboundWebhooks.create"
    "/v1/clubs/{clubId}/inbound-webhooks/{inboundWebhookId}/rotate-token": "inboundWebhooks.rotateToken"
    "/v1/clubs/{clubId}/inbound-events/{inboundEventId}/reprocess": "inboundEvents.reprocess"
    "/v1/clubs/{clubId}/product-mappings": "productMappings.create"
    "/v1/clubs/{clubId}/product-mappings/{mappingId}/reprocess": "productMappings.reprocess"
    "/v1/clubs/{clubId}/billing/addons": "billing.contract"
    "/v1/clubs/{clubId}/billing/checkout": "billing.checkout"
    "/v1/clubs/{clubId}/billing/subscriptions/{subscriptionId}/confirm": "billing.confirm"
    "/v1/clubs/{clubId}/billing/portal": "billing.portal"
    "/v1/clubs/{clubId}/webhook-endpoints": "webhookEndpoints.create"
    "/v1/clubs/{clubId}/webhook-endpoints/{endpointId}/rotate-secret": "webhookEndpoints.rotateSecret"
    "/v1/clubs/{clubId}/webhook-endpoints/{endpointId}/test": "webhookDeliveries.test"
    "/v1/clubs/{clubId}/webhook-endpoints/{endpointId}/deliveries/{deliveryId}/resend": "webhookDeliveries.resend"
    "/v1/clubs/{clubId}/webhook-endpoints/{endpointId}/recover": "webhookDeliveries.recover"
    "/v1/clubs/{clubId}/webhook-endpoints/{endpointId}/recoveries": "webhookRecoveries.create"
    "/v1/clubs/{clubId}/webhook-listeners": "webhookListeners.create"
    "/v1/clubs/{clubId}/webhook-listeners/{listenerId}/results": "webhookListeners.record"
    "/v1/clubs/{clubId}/webhook-inboxes": "webhookInboxes.create"
    "/v1/clubs/{clubId}/webhook-endpoints/filter-test": "webhookFilters.test"
    "/v1/clubs/{clubId}/webhook-endpoints/simulate": "webhookOutages.simulate"
    "/v1/clubs/{clubId}/webhook-endpoints/{endpointId}/grade": "webhookGradings.begin"
    "/webhooks/{platform}/{token}": "platformHooks.receive"
  }
  DELETE: {
    "/v1/auth/session": "sessions.end"
    "/v1/auth/sessions": "sessions.endOthers"
    "/v1/auth/sessions/{id}": "sessions.endOne"
    "/v1/clubs/{clubId}/members/{userId}": "clubs.removeMember"
    "/v1/clubs/{clubId}/members/invitations/{invitationId}": "clubs.withdrawInvitation"
    "/v1/clubs/{clubId}/keys/{keyId}": "keys.revoke"
    "/v1/key": "ownKey.revoke"
    "/v1/clubs/{clubId}/community/spaces/{spaceId}": "community.archiveSpace"
    "/v1/clubs/{clubId}/classroom/community/posts/{postId}": "classroomPosts.remove"
    "/v1/clubs/{clubId}/community/posts/{postId}": "posts.remove"
    "/v1/clubs/{clubId}/comments/{commentId}": "comments.remove"
    "/v1/clubs/{clubId}/classroom/comments/{commentId}": "classroomComments.remove"
    "/v1/clubs/{clubId}/classroom/comments/{commentId}/reactions/{emoji}": "classroomComments.unreact"
    "/v1/clubs/{clubId}/classroom/comments/{commentId}/saved": "classroomComments.unsave"
    "/v1/clubs/{clubId}/lives/{liveId}": "lives.remove"
    "/v1/clubs/{clubId}/deliveries/{deliveryId}": "deliveries.remove"
    "/v1/clubs/{clubId}/deliveries/{deliveryId}/cohorts/{cohortId}": "deliveries.removeCohort"
    "/v1/clubs/{clubId}/registration-links/{linkId}": "registrationLinks.remove"
    "/v1/clubs/{clubId}/courses/{courseId}": "courses.remove"
    "/v1/clubs/{clubId}/modules/{moduleId}": "courses.removeModule"
    "/v1/clubs/{clubId}/lessons/{lessonId}": "lessons.remove"
    "/v1/clubs/{clubId}/blocks/{blockId}": "lessons.removeBlock"
    "/v1/clubs/{clubId}/repositories/{repositoryId}": "repositories.remove"
    "/v1/clubs/{clubId}/repositories/{repositoryId}/files/{fileId}": "repositories.removeFile"
    "/v1/clubs/{clubId}/media/{mediaId}": "media.remove"
    "/v1/clubs/{clubId}/media-folders/{folderId}": "mediaFolders.remove"
    "/v1/clubs/{clubId}/mentorship-files/{mediaId}": "mentorshipFiles.remove"
    "/v1/clubs/{clubId}/classroom/lessons/{publicId}/completion": "classroom.undo"
    "/v1/clubs/{clubId}/media/{mediaId}/transcript": "transcripts.remove"
    "/v1/clubs/{clubId}/students/{studentId}": "students.remove"
    "/v1/clubs/{clubId}/inbound-webhooks/{inboundWebhookId}": "inboundWebhooks.remove"
    "/v1/clubs/{clubId}/product-mappings/{mappingId}": "productMappings.remove"
    "/v1/clubs/{clubId}/billing/addons/{addonKey}": "billing.remove"
    "/v1/clubs/{clubId}/webhook-endpoints/{endpointId}": "webhookEndpoints.remove"
    "/v1/clubs/{clubId}/webhook-inboxes/{inboxId}": "webhookInboxes.remove"
  }
  PATCH: {
    "/v1/me": "account.updateMe"
    "/v1/clubs/{clubId}/members/{userId}": "clubs.updateMember"
    "/v1/clubs/{clubId}": "clubs.update"
    "/v1/clubs/{clubId}/keys/{keyId}": "keys.update"
    "/v1/clubs/{clubId}/gamification": "gamification.update"
    "/v1/clubs/{clubId}/community": "community.update"
    "/v1/clubs/{clubId}/community/spaces/{spaceId}": "community.updateSpace"
    "/v1/clubs/{clubId}/classroom/community/posts/{postId}": "classroomPosts.update"
    "/v1/clubs/{clubId}/community/posts/{postId}": "posts.update"
    "/v1/clubs/{clubId}/comments/{commentId}": "comments.update"
    "/v1/clubs/{clubId}/classroom/comments/{commentId}": "classroomComments.edit"
    "/v1/clubs/{clubId}/lives/{liveId}": "lives.update"
    "/v1/clubs/{clubId}/deliveries/{deliveryId}": "deliveries.update"
    "/v1/clubs/{clubId}/deliveries/{deliveryId}/cohorts/{cohortId}": "deliveries.updateCohort"
    "/v1/clubs/{clubId}/registration-links/{linkId}": "registrationLinks.update"
    "/v1/clubs/{clubId}/courses/{courseId}": "courses.update"
    "/v1/clubs/{clubId}/modules/{moduleId}": "courses.updateModule"
    "/v1/clubs/{clubId}/lessons/{lessonId}": "lessons.update"
    "/v1/clubs/{clubId}/blocks/{blockId}": "lessons.updateBlock"
    "/v1/clubs/{clubId}/repositories/{repositoryId}": "repositories.update"
    "/v1/clubs/{clubId}/media/{mediaId}": "media.update"
    "/v1/clubs/{clubId}/media-folders/{folderId}": "mediaFolders.update"
    "/v1/clubs/{clubId}/agents/{agentId}": "agents.update"
    "/v1/clubs/{clubId}/students/{studentId}": "students.update"
    "/v1/clubs/{clubId}/support/conversations/{conversationId}": "support.update"
    "/v1/clubs/{clubId}/inbound-webhooks/{inboundWebhookId}": "inboundWebhooks.update"
    "/v1/clubs/{clubId}/product-mappings/{mappingId}": "productMappings.update"
    "/v1/clubs/{clubId}/webhook-endpoints/{endpointId}": "webhookEndpoints.update"
    "/v1/clubs/{clubId}/webhook-endpoints/{endpointId}/recoveries/{recoveryId}": "webhookRecoveries.update"
    "/v1/clubs/{clubId}/webhook-inboxes/{inboxId}": "webhookInboxes.update"
  }
  PUT: {
    "/v1/clubs/{clubId}/gamification/levels": "gamification.replaceLevels"
    "/v1/clubs/{clubId}/community/spaces/order": "community.orderSpaces"
    "/v1/clubs/{clubId}/classroom/comments/{commentId}/reactions/{emoji}": "classroomComments.react"
    "/v1/clubs/{clubId}/classroom/comments/{commentId}/saved": "classroomComments.save"
    "/v1/clubs/{clubId}/courses/order": "courses.order"
    "/v1/clubs/{clubId}/courses/{courseId}/modules/order": "courses.orderModules"
    "/v1/clubs/{clubId}/modules/{moduleId}/lessons/order": "lessons.order"
    "/v1/clubs/{clubId}/lessons/{lessonId}/publication": "lessons.publish"
    "/v1/clubs/{clubId}/lessons/{lessonId}/blocks/order": "lessons.orderBlocks"
    "/v1/clubs/{clubId}/repositories/{repositoryId}/publication": "repositories.publish"
    "/v1/clubs/{clubId}/repositories/{repositoryId}/files/order": "repositories.orderFiles"
    "/v1/clubs/{clubId}/classroom/lessons/{publicId}/completion": "classroom.complete"
    "/v1/clubs/{clubId}/media/{mediaId}/transcript": "transcripts.put"
  }
}

/** The operations that answer a stream of events. */
export type StreamId = "ask.stream" | "webhookDeliveries.stream" | "webhookDeliveries.streamAll" | "webhookInboxes.stream" | "eventFeed.stream"

/** The codes of the contract's errors. */
export type ErrorCode =
  | "addon_already_contracted"
  | "addon_not_contracted"
  | "addon_not_found"
  | "addon_not_removable"
  | "addon_unavailable"
  | "already_enrolled"
  | "already_member"
  | "answer_in_progress"
  | "ask_daily_limit_reached"
  | "assignee_unknown"
  | "assistant_disabled"
  | "assistant_unavailable"
  | "authorization_pending"
  | "billing_portal_unavailable"
  | "block_limit_reached"
  | "club_budget_exhausted"
  | "club_limit_reached"
  | "code_invalid"
  | "cohort_in_use"
  | "cohort_of_other_delivery"
  | "course_limit_reached"
  | "csv_invalid"
  | "cursor_expired"
  | "delivery_in_use"
  | "delivery_stream_limit_reached"
  | "delivery_unknown"
  | "device_code_invalid"
  | "email_in_use"
  | "email_not_verified"
  | "endpoint_limit_reached"
  | "endpoint_not_enabled"
  | "ends_at_not_later"
  | "enrollment_not_active"
  | "enrollment_not_revoked"
  | "event_not_reprocessable"
  | "event_type_unknown"
  | "expires_at_not_earlier"
  | "expires_at_not_later"
  | "expires_in_past"
  | "file_limit_reached"
  | "filter_invalid"
  | "folder_in_use"
  | "folder_unknown"
  | "forbidden"
  | "grading_under_way"
  | "header_not_allowed"
  | "idempotency_answer_erased"
  | "idempotency_in_progress"
  | "idempotency_key_reused"
  | "inbound_webhook_limit_reached"
  | "inbox_limit_reached"
  | "inbox_unknown"
  | "internal_error"
  | "invalid_credentials"
  | "invalid_cursor"
  | "invalid_signature"
  | "invalid_transition"
  | "invoice_upcoming_none"
  | "item_unknown"
  | "key_ended"
  | "key_limit_reached"
  | "key_rotation_limit_reached"
  | "last_owner"
  | "lesson_limit_reached"
  | "level_count_invalid"
  | "level_id_duplicated"
  | "level_min_points_duplicated"
  | "level_unknown"
  | "level_zero_missing"
  | "listener_has_no_url"
  | "listener_polls"
  | "listener_taken_over"
  | "live_ended"
  | "live_not_open"
  | "mail_limit_reached"
  | "malformed_request"
  | "mapping_exists"
  | "max_uses_below_uses"
  | "media_in_use"
  | "media_not_ready"
  | "media_unknown"
  | "mention_unknown"
  | "mime_not_allowed"
  | "module_limit_reached"
  | "module_unknown"
  | "not_found"
  | "not_the_author"
  | "nothing_to_drain"
  | "order_invalid"
  | "outage_length_invalid"
  | "outage_too_large"
  | "parent_unknown"
  | "payload_purged"
  | "payload_too_large"
  | "plan_already_contracted"
  | "plan_not_found"
  | "posting_not_allowed"
  | "public_id_taken"
  | "question_unknown"
  | "quiz_option_unknown"
  | "quiz_question_repeated"
  | "quiz_question_unanswered"
  | "quiz_question_unknown"
  | "ranking_hidden"
  | "rate_limit_unavailable"
  | "rate_limited"
  | "reaction_invalid"
  | "reaction_limit_reached"
  | "recovery_in_progress"
  | "registration_code_invalid"
  | "repository_limit_reached"
  | "rotation_limit_reached"
  | "secret_invalid"
  | "since_in_future"
  | "since_too_old"
  | "size_too_large"
  | "slug_taken"
  | "space_archived"
  | "space_limit_reached"
  | "storage_full"
  | "storage_quota_reached"
  | "stream_limit_reached"
  | "student_exists"
  | "student_removed"
  | "submission_already_reviewed"
  | "submission_approved"
  | "submission_pending"
  | "subscription_ended"
  | "temporarily_unavailable"
  | "token_invalid"
  | "too_many_rows"
  | "too_many_uploads"
  | "unauthenticated"
  | "unsupported_media_type"
  | "upload_completed"
  | "upload_in_parts_unavailable"
  | "upload_mismatch"
  | "upload_not_found"
  | "url_not_https"
  | "url_not_public"
  | "validation_failed"
