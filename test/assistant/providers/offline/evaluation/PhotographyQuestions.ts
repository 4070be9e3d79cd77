import { asked } from "./Taught.ts"

/** About photography, in English. */
export const photographyQuestions = asked([
  ["What does a smaller f-number mean?", "aperture", "a wider opening"],
  ["Which aperture should I use for landscapes?", "aperture", "choose f/8 or f/11"],
  ["How do I get a blurred background?", "aperture", "soft and blurred"],
  ["Why does the picture get softer beyond f/16?", "aperture", "diffraction"],
  ["How can I freeze a bird in flight?", "shutter", "freezes a running child"],
  ["How do I make a waterfall look like silk?", "shutter", "into silk"],
  ["What is the slowest speed when I hold the camera by hand?", "shutter", "one over the focal length"],
  ["What is panning?", "shutter", "Panning means following"],
  ["What does ISO do?", "iso", "amplifies the signal"],
  ["Is a noisy picture better than a blurred one?", "iso", "still better than a blurred"],
  ["Why do large sensors show less noise?", "iso", "collect more light"],
  ["where is noise most visible", "iso", "in the shadows"],
  ["What is the rule of thirds?", "composition", "divides the frame"],
  ["Where should the horizon go?", "composition", "on one of these lines"],
  ["When can I put the subject in the centre?", "composition", "scene is symmetrical"],
  ["What should I check in the corners of the frame?", "composition", "look at the four corners"],
  ["Which lens sees like the human eye?", "lenses", "roughly like the human eye"],
  ["What focal length is flattering for portraits?", "lenses", "use 85 mm"],
  ["How do I clean the front glass of the lens?", "lenses", "with a blower first"],
  ["How do I make the moon look huge?", "lenses", "moon look huge"],
  ["How many kelvin is candle light?", "whitebalance", "1900 kelvin"],
  ["Why should I shoot raw?", "whitebalance", "Shoot raw files"],
  ["What is a grey card for?", "whitebalance", "exact reference"],
  ["Should image stabilisation be on when the camera is on a tripod?", "night", "Switch off image stabilisation"],
  ["How long can I expose stars before they become trails?", "night", "divide 500"],
  ["what is the blue hour?", "night", "half hour after sunset"],
  ["How do I avoid red eyes and hard shadows?", "flash", "hard shadows and red eyes"],
  ["What is the sync speed of most cameras?", "flash", "1/200 of a second, and a faster"]
])

/** Off the topic, in English. Many share words with the course. */
export const offPhotography = asked([
  ["What is the capital of Australia?"],
  ["How do I bake sourdough bread?"],
  ["How much does a new camera cost?"],
  ["Who won the election last year?"],
  ["How do I reset my password?"],
  ["What is the speed limit on the motorway?"],
  ["How long does it take to grow tomatoes?"],
  ["Which phone has the longest battery life?"],
  ["Can I get a refund for this course?"],
  ["How do I record sound for a podcast?"],
  ["What is the distance from the earth to the moon?"],
  ["How do I clean the kitchen window?"],
  ["When is the deadline of the final assignment?"],
  ["Who invented the light bulb?"],
  ["What is the best colour for a bedroom wall?"],
  ["How many stars does this hotel have?"],
  ["Should children eat before running?"],
  ["How do I sell my pictures online?"],
  ["What is a good drone for video?"],
  ["Where do birds go in winter?"]
])
