import type { Voice } from "./phrases.ts";

export const warm: Voice = {
  openings: [
    "Hello, and thank you for stopping here.",
    "I never know how to begin these, so: hello.",
    "Welcome to my small corner of the page.",
  ],
  texts: [
    {
      text: "I teach, so I talk all day and love being quiet after it. On free days I walk until I find a café I do not know yet. It would be lovely to have somebody at the other side of the table.",
      purpose: "company for coffee, and for the walk there",
      hobby: "long walks, cafés",
    },
    {
      text: "The children are grown and the house has become very tidy. I cook well, and for one person it is only half the fun. I would like to hear about your day, and to be asked about mine.",
      purpose: "to be asked how my day was",
      hobby: "cooking",
    },
    {
      text: "I work on a hospital ward and have learned to laugh at odd hours. My garden is where I put everything that happened there. I hope for an unhurried friendship with some warmth in it.",
      purpose: "an unhurried friendship",
      hobby: "gardening, tomatoes above all",
    },
    {
      text: "I run a small shop and know everybody's dog by name. In the evening I bake bread and give most of it away. Somebody gentle to write to would make the week shorter.",
      purpose: "somebody gentle to write to",
      hobby: "baking bread",
    },
    {
      text: "I sing in a choir, second row, never a solo. Music makes me brave and conversation makes me happy. I miss the feeling of looking forward to a message.",
      hobby: "choir, old songs",
    },
    {
      text: "I look after my parents now, and they look after my sense of humour. When I have an hour I swim, slowly and with great dignity. I would be glad of one person to whom I need not explain everything.",
      purpose: "somebody to confide in",
      hobby: "swimming",
    },
  ],
  closings: [
    "Discretion matters to me, yours as much as mine.",
    "Please write a sentence or two about yourself; I will do the same.",
    "No hurry, and no pressure.",
  ],
  notes: [
    "The kettle has started to sound like a tram. I am keeping it.",
    "Somebody left a jar of plum jam at my door. I have three suspects, and I like them all.",
    "I sang the whole second verse alone in the car today, and nobody minded.",
  ],
  replies: {
    first: [
      "Hello! I am so glad you wrote. How has your day been?",
      "Good to meet you. I was hoping to hear from you.",
    ],
    toQuestion: [
      "What a nice question. Yes, on most days. And you?",
      "Usually in the evening, when the house is quiet. How is it with you?",
      "Let me think… I would say it depends on the company. What about you?",
    ],
    toImage: [
      "What a lovely picture, thank you. Where was it taken?",
      "Oh, that is beautiful. Thank you for showing me.",
    ],
    later: [
      "That made me smile. Tell me more.",
      "I know just what you mean. It is much the same with me.",
      "Then we have something in common, and I am glad.",
      "It is nice to talk like this. What are you doing at the weekend?",
      "You put that beautifully.",
    ],
  },
};

export const dry: Voice = {
  openings: [
    "A friend proofread this and laughed, which I take as approval.",
    "Full disclosure: I rewrote this four times and kept the first one.",
    "I am told I come across better in person. The bar is low.",
  ],
  texts: [
    {
      text: "I read contracts for a living and cookbooks for pleasure. I have strong views on soup and weak ones on nearly everything else. Looking for somebody who can disagree politely over dinner.",
      purpose: "dinner, and a polite disagreement",
      hobby: "soup, cookbooks",
    },
    {
      text: "I own a bicycle that cost more than my first car. It goes no faster than I do. I would enjoy company that does not mind stopping at every second café.",
      purpose: "company that stops for cake",
      hobby: "cycling, slowly",
    },
    {
      text: "My tomatoes have opinions, and I have learned to respect them. At work I manage people, which is similar. What I lack is one good conversation a week.",
      purpose: "one good conversation a week",
      hobby: "vegetables",
    },
    {
      text: "I lose at board games with good grace, most of the time. I also lose umbrellas, without any grace at all. If you can laugh at yourself, we will get on.",
      hobby: "board games",
    },
    {
      text: "In museums I look at five pictures properly and skip the rest. I treat buffets the same way. I would like to find somebody to compare notes with afterwards.",
      purpose: "somebody to compare notes with",
      hobby: "museums, five pictures at a time",
    },
    {
      text: "I fix old radios. Some of them even play again. I am not looking to be fixed myself, but a little reception would be nice.",
      purpose: "a little reception",
      hobby: "old radios",
    },
  ],
  closings: [
    "If we have nothing to say to each other, we will have lost ten minutes.",
    "References available from the cat.",
    "I answer late, but I answer.",
  ],
  notes: [
    "I bought a lamp to read by. I now own a very well-lit pile of unread books.",
    "The neighbour's cat has moved in on weekdays. Nobody asked me, and I have bought a brush.",
    "This year's soup so far: one triumph, four lessons.",
  ],
  replies: {
    first: [
      "Hello. You chose well, or at least bravely. What made you stop here?",
      "Hi. I had a clever first line ready and have now forgotten it.",
    ],
    toQuestion: [
      "Honestly? It depends on the weather and on the coffee. You?",
      "I will tell you if you tell me first.",
      "Officially no. Unofficially, every Sunday. And you?",
    ],
    toImage: [
      "Good light in that one. Mine usually feature my thumb.",
      "I like that. Did you take it, or were you just standing in the right place?",
    ],
    later: [
      "Ha. I would have done exactly that, only later.",
      "Noted. I may quote you on it.",
      "That is either very wise or very tired. I like it.",
      "We seem to have the same sense of order. My condolences.",
      "Go on. I have tea and nowhere to be.",
    ],
  },
};

export const brief: Voice = {
  openings: ["Short version:", "Not much of a writer.", "The essentials:"],
  texts: [
    {
      text: "Engineer. Early riser. I swim at seven and am human by eight. Mornings suit me best.",
      purpose: "coffee before work",
      hobby: "swimming",
    },
    {
      text: "Two jobs, one dog, no television. I run along the river. I like people who say what they mean.",
      purpose: "straight talk, kindly meant",
      hobby: "running",
    },
    {
      text: "Architect. I look at buildings the way others look at menus. Good rooms, good light, good company.",
      purpose: "exhibitions for two",
      hobby: "buildings, drawing",
    },
    {
      text: "On the road three days a week. I know every station café between here and the coast. A friendly voice at the end of the day would do.",
      purpose: "a voice at the end of the day",
      hobby: "trains",
    },
    {
      text: "Numbers by day, cello by night. I practise with the door closed. Concerts I prefer with somebody beside me.",
      purpose: "concerts, not alone",
      hobby: "cello",
    },
    {
      text: "I climb. Small hills now, mostly. I bring sandwiches and do not talk on the way up.",
      hobby: "hills, maps",
    },
  ],
  closings: ["That is all.", "Ask me the rest.", "Evenings are difficult. Lunch is fine."],
  notes: [
    "New maps arrived. Good evening ahead.",
    "Cold water, clear head. Recommended.",
    "Missed a train. Found a good bench.",
  ],
  replies: {
    first: [
      "Hello. Good to hear from you. How are you?",
      "Hi. Thanks for writing. What are you up to today?",
    ],
    toQuestion: ["Yes. You?", "Mostly at weekends. And you?", "Not yet. Should I?"],
    toImage: ["Nice. Where is that?", "Good picture. Thanks."],
    later: [
      "Same here.",
      "Fair point. Tell me more.",
      "Good. I like that.",
      "That sounds like a decent day.",
      "Understood. What else?",
    ],
  },
};

export const casual: Voice = {
  openings: ["Hi there :)", "Hey, nice to meet you.", "So, a few words about me."],
  texts: [
    {
      text: "I'm a nurse, so my free hours come at weird times and I'm always up for breakfast at noon. Big on old films, terrible at remembering the names of actors. Just looking for someone easy to talk to.",
      purpose: "someone easy to talk to",
      hobby: "old films",
    },
    {
      text: "Work from home, so I'll take any excuse to leave the house. I take photos of empty streets and show them to hardly anyone. Maybe I'll show you.",
      purpose: "an excuse to go out",
      hobby: "street photography",
    },
    {
      text: "I make a really good curry and a really bad phone call. Texting's fine though! Would love to find someone who laughs a lot and doesn't take everything so seriously.",
      purpose: "someone who laughs a lot",
      hobby: "cooking, podcasts",
    },
    {
      text: "Dog person, but your cat may try to convince me. I'm outdoors whenever it isn't pouring, and sometimes when it is. Not after anything complicated, just good company now and then.",
      purpose: "good company now and then",
      hobby: "dogs, muddy walks",
    },
    {
      text: "I play bass in a band nobody's heard of, and that's fair. Weekdays I'm behind a desk counting things. It'd be nice to feel a few butterflies again, no rush.",
      purpose: "a few butterflies",
      hobby: "bass guitar",
    },
    {
      text: "Half my shelf is books I haven't read, the other half I lend out and never see again. Tell me what you're reading and we've got our first hour covered. Tea, not coffee, before you ask.",
      hobby: "books, tea",
    },
  ],
  closings: ["Say hi, I don't bite.", "Home stays home, for both of us.", "I'm usually around after nine."],
  notes: [
    "Found a café with exactly one armchair and it was free. Today's a good day :)",
    "Made the curry again. Third time lucky, and yes, there are leftovers.",
    "If you've seen a film lately that's worth staying up for, tell me!",
  ],
  replies: {
    first: [
      "Hey! So glad we matched :) how's your day going?",
      "Hi! You wrote first, I like that. What's up?",
    ],
    toQuestion: [
      "Haha, good one. Most days, yeah. You?",
      "Depends who's asking :) how about you?",
      "Lunch breaks, mostly. You?",
    ],
    toImage: ["Ooh, love that! Where is it?", "That's gorgeous, thanks for sharing :)"],
    later: [
      "Haha, yes! Exactly that.",
      "Okay, now I'm curious. Go on!",
      "Oh wow, I'm exactly like that.",
      "That made my evening :)",
      "Random question: sweet or salty?",
    ],
  },
};

export const thoughtful: Voice = {
  openings: [
    "Married for a good while, and still curious about people.",
    "Half of my life is planned, and the other half is why I am here.",
    "I like people who take their time with an answer.",
  ],
  texts: [
    {
      text: "I translate novels, and so I live with other people's sentences. My own are few and mostly about the weather and the sea. What I would like is a correspondence that has no deadline.",
      purpose: "a correspondence without a deadline",
      hobby: "reading, the sea",
    },
    {
      text: "There are always three books by my bed, and one of them gets finished. I have noticed that I tell the truth most easily to somebody who does not need anything from me. Perhaps you know the feeling.",
      purpose: "the ease of telling the truth",
      hobby: "reading",
    },
    {
      text: "I restore furniture: you learn patience, and you learn when to leave a scratch alone. At home much goes unsaid, kindly but still unsaid. I am looking for a place for those words.",
      purpose: "a place for unsaid words",
      hobby: "old furniture",
    },
    {
      text: "I go to small concerts, where one can see the musicians' hands. What I remember afterwards is who sat beside me. I would like that to be somebody again.",
      purpose: "somebody in the next seat",
      hobby: "chamber music",
    },
    {
      text: "I am not here to change my life, only to keep one window open in it. I work with figures and rest with a sketchbook. If you notice small things, we may have much to talk about.",
      purpose: "one open window",
      hobby: "sketching",
    },
    {
      text: "I used to think that curiosity fades. It does not; it only grows quieter. I walk at dusk, collect words from other languages, and listen better than I speak.",
      hobby: "words, walks at dusk",
    },
  ],
  closings: [
    "I do not wish to change anything at home, and would not ask it of you.",
    "I would rather have one honest page than ten pleasant ones.",
    "Take your time. I will.",
  ],
  notes: [
    "There is a word in another language for the light that comes through leaves. I walked under it for an hour today.",
    "I mended a small box this week and found a note in it from somebody who mended it before.",
    "What we leave out of a letter is often the letter.",
  ],
  replies: {
    first: [
      "Thank you for writing. I read your page twice. What do you do with an empty hour?",
      "Hello. I am making tea, so your timing is kind. How did today treat you?",
    ],
    toQuestion: [
      "I have wondered about that myself. I think so, yes. And you?",
      "It used to be simple, and now it depends. What would you say?",
      "Perhaps at dusk, when nobody expects anything. And with you?",
    ],
    toImage: [
      "There is something very calm in it. Where were you standing?",
      "I looked at it for a while. Thank you.",
    ],
    later: [
      "I had not thought of it that way. I will now.",
      "You notice things. I like that.",
      "Yes. Some things are easier to write than to say.",
      "That stays with me. Tell me how it went on.",
      "I understand, I think. What did you do then?",
    ],
  },
};
