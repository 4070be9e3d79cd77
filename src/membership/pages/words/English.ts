const time = (seconds: number) =>
  seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : seconds === 1 ? "a second" : `${seconds} seconds`

/** The words of the pages in English. The Portuguese has the same keys. */
export const english = {
  fields: {
    email: "E-mail address",
    password: "Password",
    newPassword: "New password",
    name: "Your name",
    code: "Code from the mail",
    registrationCode: "Registration code",
    registrationCodeHint: "Only if your club gave you one.",
    clubName: "Name of the club",
    clubLocale: "Language of the club’s mails",
    passwordHint:
      "8 characters or more, whatever they are. A few unrelated words are easy to remember and hard to guess.",
    optional: "optional"
  },
  wrong: {
    summary: "Please look at this again",
    email: "Enter an e-mail address, such as ana@example.com.",
    password: "Enter 8 to 1024 characters.",
    name: "Enter a name of up to 200 characters.",
    code: "Enter the code from the mail.",
    registration_code: "A registration code has up to 64 characters.",
    club_name: "Enter a name of up to 120 characters.",
    locale: "Choose one of the languages.",
    credentials: "The e-mail address or the password is wrong.",
    notVerified: "This address is not confirmed yet. The link is in our mail; we can send it again."
  },
  place: {
    administrators: "For administrators",
    unknownClub: "Your club"
  },
  links: {
    signIn: "Sign in",
    signUp: "Create an account",
    forgot: "Forgot your password?",
    access: "Sign in with a mailed code",
    resend: "Send the mail again",
    enter: "Enter a code",
    newCode: "Have a new code mailed",
    otherAccount: "Sign in with another account",
    otherAddress: "Use another address"
  },
  mailed: {
    title: "Look into your mailbox",
    spam: "Nothing there after a minute or two? Look in the spam folder.",
    sign_up: (email: string) => `We write to ${email}. Follow the link in the mail within 24 hours.`,
    resend: (email: string) => `If a sign-up of ${email} waits to be confirmed, a new mail is on its way.`,
    forgot: (email: string) => `If ${email} has an account here, a mail is on its way. Its link works for 1 hour.`,
    access: (email: string) => `If ${email} has an account here, a mail is on its way. Its code works for 15 minutes.`
  },
  renewed: {
    access: (email: string) => `We mailed a new link to ${email}. It works for 15 minutes.`,
    forgot: (email: string) => `We mailed a new link to ${email}. It works for 1 hour.`
  },
  instead: (email: string) =>
    `Another account is open in this browser: ${email}. If you go on, it is signed out here, and you sign in as:`,
  signUp: {
    title: "Create your account",
    intro: "With it you found clubs, or help to run a club that invites you.",
    student: "With it you learn in this club. Your club may have given you a code.",
    submit: "Create the account"
  },
  confirm: {
    title: "Confirm your address",
    intro: "With one click your account is ready, and you are signed in:",
    submit: "Confirm and sign in",
    hint: "Only if you signed up yourself: the account gets the password that was chosen then.",
    gone: "It was used already, or it is older than 24 hours. If you have confirmed your address, just sign in.",
    usedTitle: "Your address is confirmed",
    used: "This link has done its work. Sign in with your password, or by a link that works once."
  },
  gone: {
    title: "This link does not work any more",
    again: "We can mail you a new one:",
    to: (email: string) => `We can mail a link to ${email}.`,
    submit: "Mail me a link"
  },
  resend: {
    title: "Send the confirmation again",
    intro: "For a sign-up that is not confirmed yet.",
    submit: "Send the mail again"
  },
  forgot: {
    title: "Forgot your password?",
    intro: "We mail you a link to choose a new one.",
    submit: "Mail me a link"
  },
  reset: {
    title: "Choose a new password",
    intro: "It ends all open sessions of your account, and signs you in:",
    submit: "Save and sign in",
    hint: "Not your account? Then close this page.",
    gone: "It was used already, or it is older than 1 hour."
  },
  access: {
    title: "Sign in with a mailed code",
    intro: "No password needed: we mail you a code that works once.",
    submit: "Mail me a code"
  },
  enter: {
    title: "Sign in",
    intro: "With one click you sign in as:",
    manual: "Our mail has a code that works once. Enter it with your address.",
    emailHint: "The address that received the mail.",
    submit: "Sign in",
    hint: "Not you? Then close this page.",
    gone: "It was used already, or it is too old. Each link works once.",
    refused:
      "The mail came to another address, or its code was used already or is too old. Check the address, or have a new code " +
      "mailed. A code works for 15 minutes, an invitation's code for 7 days."
  },
  signIn: { title: "Sign in", intro: "With your e-mail address and password.", submit: "Sign in" },
  signedIn: { title: "You are signed in", goOn: "Go on", signOut: "Sign out" },
  signedOut: { title: "You are signed out", text: "Nobody is signed in in this browser any more." },
  invitation: {
    title: "Accept the invitation",
    intro: "Sign in with the e-mail address that was invited.",
    submit: "Accept the invitation",
    noAccount: "No account yet?",
    noAccountText: "Create one with the invited address first, then follow the link in the invitation again.",
    gone: (email: string) =>
      `It was used or withdrawn, it is older than 7 days, or it is for an address other than ${email}. Ask the person who invited ` +
      "you for a new one."
  },
  club: {
    title: "Found a club",
    intro: "A club has its own students, courses and community. You will be its owner.",
    account: "Your account",
    submit: "Found the club",
    limit: "This account has founded as many clubs as it may."
  },
  terminal: {
    title: "Let a terminal in",
    intro: "It gets a key of your club. The club’s list of keys shows it, and you can revoke it there.",
    warning: "Only your own",
    warningText: "Go on only if you have just begun this in a terminal yourself, and it shows exactly this code.",
    code: "Code in the terminal",
    club: "Club",
    role: "What it may do",
    roles: {
      viewer: "Read",
      support: "Look after students",
      editor: "Keep courses and community",
      admin: "Everything that a key may"
    },
    submit: "Let it in",
    wrongCode: "Enter the code that the terminal shows, such as BDWP-HQPK.",
    gone: "The code is unknown, or older than 10 minutes. Start again in the terminal.",
    choose: "Choose the club, and enter your password once more.",
    noClub: "You administer no club.",
    done: (name: string) => `${name} is let in`,
    next: (club: string) => `It works for ${club} now. Go back to the terminal; this page may be closed.`
  },
  failed: {
    403: {
      title: "That came from another site",
      text: "Our forms are sent only from our own pages. Nothing has changed."
    },
    404: { title: "There is nothing here", text: "The address may be incomplete. Follow the link in the mail again." },
    413: { title: "That was too much", text: "The request is larger than any of our forms. Nothing has changed." },
    415: { title: "That was not a form", text: "The request could not be read. Nothing has changed." },
    429: {
      title: "Too many attempts",
      text: (seconds: number) => `To keep accounts safe we count them. Try again in ${time(seconds)}.`
    },
    500: { title: "Something went wrong", text: "The fault is ours and is logged. Try again in a moment." },
    503: { title: "Not possible at the moment", text: "Nothing has changed. Try again in a moment." }
  }
}

/** Everything that the pages say. */
export type Words = typeof english
