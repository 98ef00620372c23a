; What C does not have: instructions of vectors, and choices that the optimiser must leave as they are.
define i32 @greatest(ptr %scores, ptr %top) alwaysinline {
  %s = load <8 x double>, ptr %scores, align 64
  %m = call nnan double @llvm.vector.reduce.fmax.v8f64(<8 x double> %s)
  store double %m, ptr %top
  %a = insertelement <8 x double> poison, double %m, i64 0
  %b = shufflevector <8 x double> %a, <8 x double> poison, <8 x i32> zeroinitializer
  %e = fcmp oeq <8 x double> %s, %b
  %bits = bitcast <8 x i1> %e to i8
  %wide = zext i8 %bits to i32
  %r = call i32 @llvm.cttz.i32(i32 %wide, i1 true)
  ret i32 %r
}
define i32 @not_numbers(ptr %lanes) alwaysinline {
  %s = load <8 x double>, ptr %lanes, align 64
  %n = fcmp uno <8 x double> %s, %s
  %bits = bitcast <8 x i1> %n to i8
  %r = zext i8 %bits to i32
  ret i32 %r
}
define <8 x i1> @are_first(i64 %count) alwaysinline {
  %c = trunc i64 %count to i32
  %a = insertelement <8 x i32> poison, i32 %c, i64 0
  %b = shufflevector <8 x i32> %a, <8 x i32> poison, <8 x i32> zeroinitializer
  %r = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %b
  ret <8 x i1> %r
}
define void @keep_first(ptr %lanes, i64 %count, double %otherwise, ptr %out) alwaysinline {
  %s = load <8 x double>, ptr %lanes, align 64
  %k = call <8 x i1> @are_first(i64 %count)
  %a = insertelement <8 x double> poison, double %otherwise, i64 0
  %b = shufflevector <8 x double> %a, <8 x double> poison, <8 x i32> zeroinitializer
  %r = select <8 x i1> %k, <8 x double> %s, <8 x double> %b
  store <8 x double> %r, ptr %out, align 64
  ret void
}
define void @first_reals(ptr %row, i64 %count, ptr %out) alwaysinline {
  %k = call <8 x i1> @are_first(i64 %count)
  %r = call <8 x double> @llvm.masked.load.v8f64.p0(ptr %row, i32 4, <8 x i1> %k, <8 x double> zeroinitializer)
  store <8 x double> %r, ptr %out, align 64
  ret void
}
define void @halves_of(ptr %row, i64 %count, i32 %all, ptr %out) alwaysinline {
  %i = load <8 x i32>, ptr %row, align 4
  %d = sitofp <8 x i32> %i to <8 x double>
  %k = call <8 x i1> @are_first(i64 %count)
  %f = select <8 x i1> %k, <8 x double> %d, <8 x double> zeroinitializer
  %every = icmp ne i32 %all, 0
  %r = select i1 %every, <8 x double> %d, <8 x double> %f
  store <8 x double> %r, ptr %out, align 64
  ret void
}
define void @entries_of(ptr %table, ptr %places, i64 %count, ptr %out) alwaysinline {
  %i = load <8 x i32>, ptr %places, align 4
  %k = call <8 x i1> @are_first(i64 %count)
  %n = icmp sgt <8 x i32> %i, zeroinitializer
  %there = and <8 x i1> %k, %n
  %p = select <8 x i1> %there, <8 x i32> %i, <8 x i32> zeroinitializer
  %a = getelementptr double, ptr %table, <8 x i32> %p
  %r = call <8 x double> @llvm.masked.gather.v8f64.v8p0(<8 x ptr> %a, i32 8, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x double> poison)
  store <8 x double> %r, ptr %out, align 64
  ret void
}
define i64 @guessed(i64 %number, i64 %guess) alwaysinline {
start:
  %unrelated = call i64 asm "", "=r,0"(i64 %guess)
  %right = icmp eq i64 %number, %guess
  br i1 %right, label %same, label %end, !prof !0
same:
  %kept = call i64 asm sideeffect "", "=r,0"(i64 %unrelated)
  br label %end
end:
  %r = phi i64 [%number, %start], [%kept, %same]
  ret i64 %r
}
declare double @llvm.vector.reduce.fmax.v8f64(<8 x double>)
declare i32 @llvm.cttz.i32(i32, i1)
declare <8 x double> @llvm.masked.load.v8f64.p0(ptr, i32, <8 x i1>, <8 x double>)
declare <8 x double> @llvm.masked.gather.v8f64.v8p0(<8 x ptr>, i32, <8 x i1>, <8 x double>)

@fault = external global i32
; Arithmetic of users' functions: a result that is another than in Python is noted.
define void @exact_note(i1 %bad) alwaysinline {
  br i1 %bad, label %note, label %fine
note:
  atomicrmw add ptr @fault, i32 1 monotonic
  br label %fine
fine:
  ret void
}
define i64 @exact_add(i64 %a, i64 %b) alwaysinline {
  %s = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 %a, i64 %b)
  %bad = extractvalue { i64, i1 } %s, 1
  call void @exact_note(i1 %bad)
  %r = extractvalue { i64, i1 } %s, 0
  ret i64 %r
}
declare { i64, i1 } @llvm.sadd.with.overflow.i64(i64, i64)
define i64 @exact_sub(i64 %a, i64 %b) alwaysinline {
  %s = call { i64, i1 } @llvm.ssub.with.overflow.i64(i64 %a, i64 %b)
  %bad = extractvalue { i64, i1 } %s, 1
  call void @exact_note(i1 %bad)
  %r = extractvalue { i64, i1 } %s, 0
  ret i64 %r
}
declare { i64, i1 } @llvm.ssub.with.overflow.i64(i64, i64)
define i64 @exact_mul(i64 %a, i64 %b) alwaysinline {
  %s = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %a, i64 %b)
  %bad = extractvalue { i64, i1 } %s, 1
  call void @exact_note(i1 %bad)
  %r = extractvalue { i64, i1 } %s, 0
  ret i64 %r
}
declare { i64, i1 } @llvm.smul.with.overflow.i64(i64, i64)
define i64 @exact_shl(i64 %a, i64 %b) alwaysinline {
  %r = shl i64 %a, %b
  %back = ashr i64 %r, %b
  %bad = icmp ne i64 %back, %a
  call void @exact_note(i1 %bad)
  ret i64 %r
}
define i64 @exact_ashr(i64 %a, i64 %b) alwaysinline {
  %bad = icmp slt i64 %a, 0
  call void @exact_note(i1 %bad)
  %r = ashr i64 %a, %b
  ret i64 %r
}
!0 = !{!"branch_weights", i32 2000, i32 1}
